import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unknownField } from '@wadi/fields/field-findings.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locationAt, partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { type Located, isValueMap } from '@wadi/params/values/value.ts'
import { jsonMergePatch } from '../json-merge-patch.ts'
import { renderedOptionLayers } from '../explain/option-trees.ts'
import { type SourceOptions, checkSourceOptions } from '../source.ts'
import type { WorkloadNesting } from '../workload/workload-nesting.ts'
import type { PlannedSource } from './renderer.ts'

/** What a `Render` object says of the directory that it names. */
export interface RenderRequest {
  /** Its spec, with options by renderer. */
  readonly spec: Located
  /** Where its options are written. */
  readonly optionPlaces: FieldPlaces
  /** For objects that name none: that of the workload. */
  readonly namespace: string
  /** Where the directory is named, for messages. */
  readonly place: string
  /** The directories of workloads that led here. */
  readonly nesting: WorkloadNesting
}

/**
 * The options of a source with those of the `Render` that led to it merged in, and both as layers.
 * @throws InvalidInputError naming the place of an option that is wrong
 */
export function withRenderOptions(
  { options, layers }: PlannedSource,
  { spec, optionPlaces }: Pick<RenderRequest, 'spec' | 'optionPlaces'>,
  key: keyof SourceOptions,
): { options: SourceOptions; layers: Layer[] } {
  const given = partOf(spec, key)
  const patch = given === undefined ? {} : { [key]: toJson(given.value) }
  return {
    options: checkSourceOptions(jsonMergePatch(options, patch), optionPlaces),
    layers: renderedOptionLayers(layers, spec, key),
  }
}

/** Throws InvalidInputError with the place of a key of a map that is none of those known. */
export function refuseUnknown(given: Located, known: readonly string[], above: string): void {
  for (const key of isValueMap(given.value) ? given.value.keys() : []) {
    if (known.includes(key)) continue
    const path = `${above}.${key}`
    const at = locationAt(given, [key])
    throw new InvalidInputError(`Render: ${unknownField(path, key, known)}`, { at, path })
  }
}
