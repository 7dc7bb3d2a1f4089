import { fileText } from '@wadi/manifests/file-text.ts'
import { maxConfigFileBytes, parseConfigs } from '../../../source/config-file.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { readChart } from '../helm-chart.ts'
import { childPath, pathWithin, shownPath } from '@wadi/file-trees/repository-path.ts'
import type { ParameterOrigin } from '../../../parameters/describe/parameter-message.ts'
import type { Value } from '@wadi/params/values/value.ts'
import type { ValuePath } from '@wadi/params/values/set-name.ts'
import { valueAt } from './value-steps.ts'
import { type ValueNode, emptyMap, fileValues, mergeValues } from './value-node.ts'

/** Deepest nesting of subcharts. */
const deepestSubchart = 20

/** Most charts that are looked at for one source, those below one another included. */
const maxCharts = 500

/** The values of a chart when nothing is set. */
interface ChartDefaults {
  readonly values: ValueNode
  readonly root: ChartWithValues
  /** Names of subcharts that are packed or elsewhere, so that their defaults are missing. */
  readonly unread: readonly string[]
}

/**
 * Reads the values.yaml of a chart, and below the names of its subcharts theirs.
 * @param seen the values that the chart sees when nothing is given: a null of a chart does not always take away a subchart's value
 * @throws InvalidInputError naming file and line for one that is not YAML
 */
export async function chartDefaults(tree: FileTree, chart: string, seen: Value): Promise<ChartDefaults> {
  const { root, unread } = await readChartTree(tree, chart)
  const valuesOf = async ({ file, subcharts }: ChartWithValues, path: ValuePath): Promise<ValueNode> => {
    const own = (await readValues(tree, file, 'chart')) ?? emptyMap({ kind: 'chart', file, line: 1 })
    let below: ValueNode = { ...emptyMap(own.origin), children: new Map() }
    for (const subchart of subcharts) {
      const values = await valuesOf(subchart, [...path, subchart.name])
      below = mergeValues(below, { ...emptyMap(own.origin), children: new Map([[subchart.name, values]]) })
    }
    return mergeValues(below, own, (inner) => (valueAt(seen, [...path, ...inner]) ?? null) !== null)
  }
  return { values: await valuesOf(root, []), root, unread }
}

/** A chart with its values.yaml, which it has or may have. */
export interface ChartWithValues {
  /** The key of its values in those of the chart above; empty for the chart itself. */
  readonly name: string
  readonly file: string
  readonly listsDependencies: boolean
  readonly subcharts: readonly ChartWithValues[]
}

/** Finds a chart's subcharts: unpacked ones under `charts/`, and `file://` dependencies. */
export async function readChartTree(
  tree: FileTree,
  chart: string,
): Promise<{ root: ChartWithValues; unread: string[] }> {
  const unread = new Set<string>()
  let charts = 0
  const walk = async (directory: string, name: string, depth: number): Promise<ChartWithValues> => {
    charts += 1
    const { listsDependencies, subcharts: found } = await findSubcharts(tree, directory)
    const subcharts: ChartWithValues[] = []
    for (const [key, subchart] of found) {
      if (subchart === undefined || depth === deepestSubchart || charts === maxCharts) unread.add(key)
      else subcharts.push(await walk(subchart, key, depth + 1))
    }
    return { name, file: childPath(directory, 'values.yaml'), listsDependencies, subcharts }
  }
  return { root: await walk(chart, '', 0), unread: [...unread] }
}

/** The values of a file of the repository; undefined if it is not there, empty or no map. */
export async function readValues(
  tree: FileTree,
  path: string,
  kind: 'chart' | 'file',
): Promise<ValueNode | undefined> {
  const found = await followPath(tree, path)
  if (found === undefined || found.entry.kind === 'directory') return undefined
  // Helm reads the first document and no other.
  const file = shownPath(path)
  const [config] = parseConfigs(fileText(await tree.read(found.target, maxConfigFileBytes), file), file)
  if (config === undefined) return undefined
  const values = fileValues(config, (line): ParameterOrigin => ({ kind, file, line }))
  return values.kind === 'map' ? values : undefined
}

/** The directories of a chart's subcharts by the name of their values; undefined for one that cannot be read here. */
async function findSubcharts(
  tree: FileTree,
  chart: string,
): Promise<{ listsDependencies: boolean; subcharts: Map<string, string | undefined> }> {
  const isChart = async (directory: string): Promise<boolean> =>
    (await followPath(tree, childPath(directory, 'Chart.yaml'))) !== undefined
  const vendored = new Map<string, string>()
  const charts = await followPath(tree, childPath(chart, 'charts'))
  for (const entry of charts?.entry.kind === 'directory' ? await tree.list(charts.target) : []) {
    const directory = childPath(chart, `charts/${entry.name}`)
    if (entry.kind === 'file' || entry.kind === 'executable' || !(await isChart(directory))) continue
    vendored.set((await readChart(tree, directory)).name, directory)
  }
  const subcharts = new Map<string, string | undefined>()
  const { dependencies } = await readChart(tree, chart)
  for (const { name, alias, repository, place } of dependencies) {
    let directory = vendored.get(name)
    if (directory === undefined && repository.startsWith('file://')) {
      const local = pathWithin(chart, repository.slice('file://'.length), `${place}:`)
      if (await isChart(local)) directory = local
    }
    subcharts.set(alias || name, directory)
  }
  const declared = new Set(dependencies.map(({ name }) => name))
  for (const [name, directory] of vendored) if (!declared.has(name)) subcharts.set(name, directory)
  return { listsDependencies: dependencies.length > 0, subcharts }
}
