import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import type { Layer } from '@wadi/params/resolve/layer.ts'
import { locatedFields } from '@wadi/params/values/located-fields.ts'
import { partOf } from '@wadi/params/values/located.ts'
import { toJson } from '@wadi/params/values/value-json.ts'
import { renderedOptionLayers } from '../parameters/explain/option-trees.ts'
import type { SourceOptions } from '../source/source.ts'
import { checkSourceOptions } from '../source/source-options.ts'
import type { RenderRequest } from './render-request.ts'
import type { PlannedSource } from './renderer.ts'

/**
 * The options of a source with those of the `Render` that led to it merged in, and both as layers.
 * @throws InvalidInputError naming the place of an option that is wrong
 */
export function withRenderOptions(
  { options, layers, renderers }: PlannedSource,
  { spec, optionPlaces }: Pick<RenderRequest, 'spec' | 'optionPlaces'>,
  key: string,
): { options: SourceOptions; layers: Layer[] } {
  const given = partOf(spec, key)
  const patch = given === undefined ? {} : { [key]: toJson(given.value) }
  return {
    options: checkSourceOptions(jsonMergePatch(options, patch), optionPlaces, renderers),
    layers: renderedOptionLayers(layers, spec, key),
  }
}

/** Reads the fields of a `Render`; the first one that is wrong is an InvalidInputError with its place. */
export const renderFields = locatedFields('Render')
