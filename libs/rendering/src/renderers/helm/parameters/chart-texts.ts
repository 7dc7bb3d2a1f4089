import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { followPath } from '@wadi/file-trees/follow-links.ts'
import { childPath, parentPath } from '@wadi/file-trees/repository-path.ts'
import type { ChartWithValues } from './chart-defaults.ts'

/** Most templates of a chart that are read, and largest of them. */
const maxFiles = 2000
const maxFileBytes = 1024 * 1024

/** The texts of a chart that can read its values. */
export interface ChartTexts {
  /** Templates without their comments, and texts that may be templates. */
  readonly templates: readonly string[]
  /** Names of values that its list of dependencies mentions, such as conditions. */
  readonly named: readonly string[]
  /** True if it has no more. */
  readonly areAll: boolean
}

/** Reads the templates of a chart, and of its subcharts those that define templates for others. */
export async function readChartTexts(tree: FileTree, root: ChartWithValues): Promise<ChartTexts> {
  const templates: string[] = []
  const named: string[] = []
  let files = 0
  const add = async (path: string, keep: (text: string) => void): Promise<void> => {
    const found = await followPath(tree, path)
    if (found === undefined || found.entry.kind === 'directory') return
    files += 1
    if (files <= maxFiles) keep((await tree.read(found.target, maxFileBytes)).toString())
  }
  const walk = async (directory: string, keep: (text: string) => void): Promise<void> => {
    const found = await followPath(tree, directory)
    if (found?.entry.kind !== 'directory') return
    for (const { name, kind } of await tree.list(found.target)) {
      if (files > maxFiles) return
      const path = childPath(found.target, name)
      await (kind === 'directory' ? walk(path, keep) : add(path, keep))
    }
  }
  const visit = async (chart: ChartWithValues, isOwn: boolean): Promise<void> => {
    const directory = parentPath(chart.file)
    await walk(childPath(directory, 'templates'), (text) => {
      if (isOwn || /\{\{-?\s*define\b/.test(text)) templates.push(readingText(text))
    })
    if (isOwn) await add(chart.file, (text) => templates.push(text))
    for (const file of ['Chart.yaml', 'requirements.yaml']) {
      await add(childPath(directory, file), (text) => named.push(...namesIn(text)))
    }
    for (const subchart of chart.subcharts) await visit(subchart, false)
  }
  try {
    await visit(root, true)
  } catch (error) {
    if (!(error instanceof ResourceExhaustedError)) throw error
    files = Infinity
  }
  return { templates, named, areAll: files <= maxFiles }
}

/** A template without its comments, and without passing on all values by their own name, as whoever gets them reads `.Values` too. */
function readingText(text: string): string {
  return text
    .replaceAll(/\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}/g, '')
    .replaceAll(/"Values"\s+[$\w]*\.Values(?![.\w])/g, '')
}

/** The values that decide about dependencies, and those that are taken from them. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:condition|parent|child):([^\n#}]+)/g)].flatMap(({ 1: names = '' }) =>
    names.split(/[\s,"']+/).filter((name) => name !== ''),
  )
}
