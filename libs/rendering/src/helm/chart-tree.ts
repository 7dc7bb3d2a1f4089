import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { packedFiles } from './chart-archive.ts'

/** The files of a packed chart, and how many bytes they have. */
export interface ChartTree {
  readonly tree: FileTree
  readonly bytes: number
}

/**
 * Opens a packed chart: its directory is the root of the tree. Entries that are not files, links among them, are left out, as Helm does.
 * @param place names the chart in messages
 * @throws InvalidInputError for an archive that cannot be read, has no Chart.yaml or has a path that leaves the chart, ResourceExhaustedError
 *   above the bounds of packed charts
 */
export async function openChartTree(archive: Buffer, place: string): Promise<ChartTree> {
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const { name, content } of await packedFiles(archive, place, () => true)) {
    const path = name.replace(/^\.\//, '').split('/').slice(1).join('/')
    if (path === '') continue
    if (/[\p{Cc}\\]/u.test(path) || path.split('/').some((part) => ['', '.', '..'].includes(part))) {
      throw new InvalidInputError(`${JSON.stringify(name.slice(0, 300))} is not a path inside the chart`, {
        at: { file: place },
      })
    }
    files.set(path, content)
    bytes += content.length + path.length
  }
  for (const path of files.keys()) {
    const parts = path.split('/')
    const folder = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
    const file = folder.find((one) => files.has(one))
    if (file !== undefined) {
      throw new InvalidInputError(`${JSON.stringify(file.slice(0, 300))} is a file and a directory`, {
        at: { file: place },
      })
    }
  }
  if (!files.has('Chart.yaml')) {
    throw new InvalidInputError('is not a packed chart: it has no Chart.yaml', { at: { file: place } })
  }
  return { tree: memoryTree(files), bytes }
}
