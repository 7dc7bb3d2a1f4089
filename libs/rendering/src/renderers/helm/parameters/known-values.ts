import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { mergedTrees } from '../../../parameters/explain/option-trees.ts'
import type { InspectedOptions } from '../../../source/inspected-options.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'
import type { ChartRender } from '../helm-inputs.ts'
import { readChartTree } from './chart-defaults.ts'
import { readSchema } from './chart-schemas.ts'
import { developerValues, givenLayers, resolveChartValues } from './helm-layers.ts'
import { singleType } from './schema-facts.ts'
import { schemaParts } from './schema-parts.ts'

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
    schema: await readableSchema(tree, childPath(path, 'values.schema.json')),
    unread: (await readChartTree(tree, path)).unread,
  }
}

/** The type that a chart's schema has for the value at a path; undefined where it says none, or several. */
export function schemaType(schema: unknown, path: readonly (string | number)[]): string | undefined {
  return singleType(schemaParts(schema).at(path))
}

/** Returns the chart's schema; undefined without one, and for one that cannot be read, which Helm reports when it renders. */
async function readableSchema(tree: FileTree, path: string): Promise<unknown> {
  try {
    return await readSchema(tree, path)
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof ResourceExhaustedError) return undefined
    throw error
  }
}
