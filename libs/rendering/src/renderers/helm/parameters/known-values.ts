import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { maxConfigFileBytes } from '../../../source/config-file.ts'
import { mergedTrees } from '../../../parameters/explain/option-trees.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { ChartRender } from '../helm-inputs.ts'
import { readChartTree } from './chart-defaults.ts'
import { developerValues, givenLayers, resolveChartValues } from './helm-layers.ts'

/** The values of a chart before some are set. */
export interface KnownValues {
  /** The values that the chart sees when nothing is given. */
  readonly defaults: Value
  /** The given values without `helm.parameters`, and with it. */
  readonly base: Value
  readonly given: Value
  /** The values that the chart sees. */
  readonly seen: Value
  /** `values.schema.json`; undefined for a chart without one that can be read. */
  readonly schema: unknown
  /** Names of subcharts whose defaults cannot be read. */
  readonly unread: readonly string[]
}

/**
 * Reads the values of a chart, and what its source gives it.
 * @throws InvalidInputError naming file and line for values that cannot be read
 */
export async function readKnownValues(
  tree: FileTree,
  { path, optionLayers }: InspectedOptions,
  plan: ChartRender,
  version: string,
): Promise<KnownValues> {
  const given = developerValues(optionLayers, plan)
  const base = developerValues(optionLayers, { ...plan, parameters: [], fileParameters: [] })
  const valuesOf = async (one: typeof given): Promise<Value> =>
    mergedTrees((await givenLayers(tree, [one])).map((layer) => layer.tree)).value
  return {
    defaults: (await resolveChartValues(tree, path, [], version)).tree,
    base: await valuesOf(base),
    given: await valuesOf(given),
    seen: (await resolveChartValues(tree, path, [given], version)).tree,
    schema: await readSchema(tree, childPath(path, 'values.schema.json')),
    unread: (await readChartTree(tree, path)).unread,
  }
}

/** The type that a chart's schema has for the value at a path; undefined where it says none, or several. */
export function schemaType(schema: unknown, path: readonly (string | number)[]): string | undefined {
  const place = path.reduce<unknown>((at, step) => {
    if (!isJsonObject(at)) return undefined
    if (typeof step === 'number') return at['items']
    const properties = at['properties']
    return isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
  }, schema)
  if (!isJsonObject(place)) return undefined
  const { type } = place
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : undefined
}

/** Returns the chart's schema; undefined without one, and for a text that is not JSON, which Helm reports when it renders. */
async function readSchema(tree: FileTree, path: string): Promise<unknown> {
  const found = await followPath(tree, path)
  if (found === undefined || found.entry.kind === 'directory') return undefined
  try {
    const schema: unknown = JSON.parse(fileText(await tree.read(found.target, maxConfigFileBytes), path))
    return schema
  } catch {
    return undefined
  }
}
