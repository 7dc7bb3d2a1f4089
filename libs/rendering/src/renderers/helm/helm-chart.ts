import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { readGoFields } from '@wadi/fields/go-fields.ts'
import { schemaError } from '@wadi/fields/schema-findings.ts'
import { z } from 'zod'
import { type ConfigFile, placeOfField, placesIn, readConfigFile } from '../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/** A string as Helm's library of YAML reads it, from numbers and booleans too: `version: 1`, `name: on`. */
const text = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  z.string(),
)
const optionalText = text.nullish().transform((value) => value ?? '')

const dependencyList = z.object({
  dependencies: z
    .array(z.object({ name: text, version: optionalText, repository: optionalText, alias: optionalText }))
    .nullish(),
})
const chartFile = dependencyList.extend({ name: text, version: optionalText })

const lockFiles = ['Chart.lock', 'requirements.lock']

/** A dependency that a chart declares, with the place of the declaration. */
export interface ChartDependency {
  readonly name: string
  readonly version: string
  readonly repository: string
  /** The name that the chart gives its values instead of its own; empty when it gives none. */
  readonly alias: string
  /** `file:line` of the declaration. */
  readonly place: string
}

/** The description of a chart in its own files. */
export interface ChartDescription {
  readonly name: string
  readonly version: string
  readonly dependencies: readonly ChartDependency[]
}

/**
 * Reads a chart's name and dependencies from `Chart.yaml` and, for charts of Helm 2, `requirements.yaml`.
 * @throws InvalidInputError if there is no Chart.yaml or it is wrong
 */
export async function readChart(tree: FileTree, directory: string): Promise<ChartDescription> {
  const path = childPath(directory, 'Chart.yaml')
  const found = await followPath(tree, path)
  if (found === undefined) {
    throw new InvalidInputError(
      `"${directory || '.'}" is not a Helm chart: it has no Chart.yaml; correct the path`,
    )
  }
  const config = await readConfigFile(tree, found.target, path)
  const chart = parse(chartFile, config)
  const requirements = await followPath(tree, childPath(directory, 'requirements.yaml'))
  const older = requirements && (await readConfigFile(tree, requirements.target, requirements.path))
  const declared = [{ file: config, list: chart.dependencies ?? [] }]
  if (older !== undefined) {
    declared.push({ file: older, list: parse(dependencyList, older).dependencies ?? [] })
  }
  return {
    name: chart.name,
    version: chart.version,
    dependencies: declared.flatMap(({ file, list }) =>
      list.map((dependency, index) => ({
        ...dependency,
        place: placeOfField(file, ['dependencies', index]),
      })),
    ),
  }
}

function parse<Schema extends z.ZodObject>(schema: Schema, config: ConfigFile): z.output<Schema> {
  const value = asSpelled(schema, config.value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw schemaError(schema, value, parsed.error, placesIn(config))
}

/** Case does not count in fields, as Helm reads them with Go's JSON. */
function asSpelled(schema: z.ZodObject, value: unknown): unknown {
  return readGoFields(schema, value, {}, unplaced('')).patch
}

/** The names of the charts that are vendored under a chart's `charts/`, from directories and archives. */
export async function vendoredCharts(tree: FileTree, directory: string): Promise<(name: string) => boolean> {
  const found = await followPath(tree, childPath(directory, 'charts'))
  const names = new Set<string>()
  const archives: string[] = []
  for (const { name } of found?.entry.kind === 'directory' ? await tree.list(found.target) : []) {
    if (name.endsWith('.tgz')) archives.push(name)
    const chart = await followPath(tree, childPath(found?.target ?? '', `${name}/Chart.yaml`))
    if (chart === undefined) continue
    const { value } = await readConfigFile(tree, chart.target, chart.path)
    const parsed = chartFile.safeParse(asSpelled(chartFile, value))
    if (parsed.success) names.add(parsed.data.name)
  }
  return (name) =>
    names.has(name) ||
    archives.some((file) => file.startsWith(`${name}-`) && /^v?\d/.test(file.slice(name.length + 1)))
}

/** True if a chart has a lock file or anything under `charts/`, on which a build of its dependencies depends. */
export async function hasBuiltDependencies(tree: FileTree, directory: string): Promise<boolean> {
  for (const name of ['charts', ...lockFiles]) {
    if ((await followPath(tree, childPath(directory, name))) !== undefined) return true
  }
  return false
}

/** True if a chart's lock file pins `dependency`. */
export async function isLocked(
  tree: FileTree,
  directory: string,
  dependency: ChartDependency,
): Promise<boolean> {
  for (const name of lockFiles) {
    const lock = await followPath(tree, childPath(directory, name))
    if (lock === undefined) continue
    const { value } = await readConfigFile(tree, lock.target, lock.path)
    const parsed = dependencyList.safeParse(asSpelled(dependencyList, value))
    if (parsed.data?.dependencies?.some((locked) => locked.name === dependency.name)) return true
  }
  return false
}
