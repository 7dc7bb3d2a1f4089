import { createHash } from 'node:crypto'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath } from '@wadi/file-trees/repository-path.ts'

/** Digests that identify a chart without reading it. */
export interface ChartDigests {
  /** Of the chart's directory, with all that its links lead to. */
  readonly chart: string
  /** Of the directories of charts that are put into it, in their order. */
  readonly dependencies: readonly string[]
  /**
   * Of what renders: templates, schemas, definitions and rules. Charts without templates of their own share it if they
   * differ in names, versions and values alone, as the umbrellas do that many applications put over one chart.
   */
  readonly program: string
}

/** Of a chart without templates, the entries that decide its result beside values and Chart.yaml. */
const decidingEntries = new Set(['.helmignore', 'charts', 'crds', 'requirements.yaml', 'values.schema.json'])

/** The fields of Chart.yaml that nothing but templates of the chart itself can see, on one line. */
const identity = /^(?:name|version|appVersion|description|icon|home):.*$/gm

const maxChartFileBytes = 1024 * 1024

/**
 * Digests a chart by the ids of its files.
 * @param links those inputs of the chart and its dependencies that are links
 */
export async function chartDigests(
  tree: FileTree,
  path: string,
  dependencies: readonly string[],
  links: readonly string[],
): Promise<ChartDigests> {
  const linked = await Promise.all(links.map((link) => identify(tree, link)))
  const digest = async (directory: string): Promise<string> => {
    const [, ...way] = await identify(tree, directory)
    return hash([way, linked])
  }
  const chart = await digest(path)
  const placed = await Promise.all(dependencies.map((directory) => digest(directory)))
  return { chart, dependencies: placed, program: hash([await ownProgram(tree, path, chart), linked, placed]) }
}

async function identify(tree: FileTree, path: string): Promise<unknown[]> {
  const followed = await followPath(tree, path)
  return [path, followed?.entry.kind, followed?.entry.id, followed?.links]
}

async function ownProgram(tree: FileTree, path: string, chart: string): Promise<unknown> {
  const target = (await followPath(tree, path))?.target ?? path
  const entries = await tree.list(target)
  const file = entries.find(({ name }) => name === 'Chart.yaml')
  const hasTemplates = entries.some(({ name, kind }) => name === 'templates' || kind === 'symlink')
  if (hasTemplates || file === undefined) return chart
  const text = (await tree.read(childPath(target, 'Chart.yaml'), maxChartFileBytes)).toString()
  const deciding = entries.filter(({ name }) => decidingEntries.has(name))
  return [text.replaceAll(identity, ''), deciding.map(({ name, id }) => [name, id])]
}

function hash(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
