import { fileText } from '@wadi/manifests/file-text.ts'
import { maxConfigFileBytes, parseConfigs } from '../../config-file.ts'
import type { FileTree } from '../../tree/file-tree.ts'
import { followPath } from '../../tree/follow-links.ts'
import { readChart } from '../helm-chart.ts'
import { childPath, pathWithin, shownPath } from '../../tree/repository-path.ts'
import type { ParameterOrigin } from '../../describe/parameter-message.ts'
import { type ValueNode, emptyMap, fileValues, mergeValues } from './value-node.ts'

/** Deepest nesting of subcharts. */
const deepestSubchart = 20

/** Most charts that are looked at for one source, those below one another included. */
const maxCharts = 500

/** What a chart's values are when nothing is set. */
interface ChartDefaults {
  readonly values: ValueNode
  /** Names of subcharts that are packed or elsewhere, so that their defaults are missing. */
  readonly unread: readonly string[]
}

/**
 * Reads the values.yaml of a chart, and below the names of its subcharts theirs.
 * @throws InvalidInputError naming file and line for one that is not YAML
 */
export async function chartDefaults(tree: FileTree, chart: string): Promise<ChartDefaults> {
  const { files, unread } = await chartValueFiles(tree, chart)
  let values: ValueNode = emptyMap({ kind: 'chart', file: childPath(chart, 'values.yaml'), line: 1 })
  for (const { file, below } of files) {
    const own = (await readValues(tree, file, 'chart')) ?? emptyMap({ kind: 'chart', file, line: 1 })
    values = mergeValues(
      values,
      below.reduceRight<ValueNode>(
        (node, name) => ({ ...emptyMap(node.origin), children: new Map([[name, node]]) }),
        own,
      ),
    )
  }
  return { values, unread }
}

/** A values.yaml that a chart has or may have, and the names of subcharts below which its values stand. */
interface ChartValueFile {
  readonly file: string
  readonly below: readonly string[]
}

/**
 * Finds the values.yaml of a chart and those of its subcharts, the weakest first: of unpacked ones under `charts/` and of
 * `file://` dependencies.
 */
export async function chartValueFiles(
  tree: FileTree,
  chart: string,
): Promise<{ files: ChartValueFile[]; unread: string[] }> {
  const unread = new Set<string>()
  const files: ChartValueFile[] = []
  let charts = 0
  const walk = async (directory: string, below: readonly string[]): Promise<void> => {
    charts += 1
    const subcharts = await findSubcharts(tree, directory)
    for (const [name, subchart] of subcharts) {
      if (subchart === undefined || below.length === deepestSubchart || charts === maxCharts) unread.add(name)
      else await walk(subchart, [...below, name])
    }
    files.push({ file: childPath(directory, 'values.yaml'), below })
  }
  await walk(chart, [])
  return { files, unread: [...unread] }
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
async function findSubcharts(tree: FileTree, chart: string): Promise<Map<string, string | undefined>> {
  const isChart = async (directory: string): Promise<boolean> =>
    (await followPath(tree, childPath(directory, 'Chart.yaml'))) !== undefined
  const vendored = new Map<string, string>()
  const folder = await followPath(tree, childPath(chart, 'charts'))
  for (const entry of folder?.entry.kind === 'directory' ? await tree.list(folder.target) : []) {
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
  return subcharts
}
