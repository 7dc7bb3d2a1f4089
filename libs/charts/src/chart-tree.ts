import { gzipSync } from 'node:zlib'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { memoryTree } from '@wadi/file-trees/memory-tree.ts'
import { packedFiles } from './packed-files.ts'

/** The files of a packed chart, and how many bytes they have. */
export interface PackedChart {
  readonly tree: FileTree
  readonly bytes: number
}

/**
 * Opens a packed chart: its directory is the root of the tree. Entries that are not files, links among them, are left out, as Helm does.
 * @param place names the chart in messages
 * @throws InvalidInputError for an archive that cannot be read, has no Chart.yaml or has a path that leaves the chart, ResourceExhaustedError
 *   above the bounds of packed charts
 */
export async function openChartTree(archive: Buffer, place: string): Promise<PackedChart> {
  const { files, bytes } = await filesOf(archive, place, 1)
  if (!files.has('Chart.yaml')) {
    throw new InvalidInputError('is not a packed chart: it has no Chart.yaml', { at: { file: place } })
  }
  return { tree: memoryTree(files), bytes }
}

/**
 * Opens the archive of an artifact, compressed or not. Entries that are not files, links among them, are left out.
 * @throws as for a chart
 */
export async function openArtifactTree(archive: Buffer, place: string): Promise<PackedChart> {
  const isCompressed = archive[0] === 0x1f && archive[1] === 0x8b
  const { files, bytes } = await filesOf(isCompressed ? archive : gzipSync(archive), place, 0)
  return { tree: memoryTree(files), bytes }
}

/** @param above how many directories at the beginning of each path are left out */
async function filesOf(
  archive: Buffer,
  place: string,
  above: number,
): Promise<{ files: Map<string, Buffer>; bytes: number }> {
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const { name, content } of await packedFiles(archive, place, () => true)) {
    const path = name.replace(/^\.\//, '').split('/').slice(above).join('/')
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
    const parents = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
    const file = parents.find((one) => files.has(one))
    if (file !== undefined) {
      throw new InvalidInputError(`${JSON.stringify(file.slice(0, 300))} is a file and a directory`, {
        at: { file: place },
      })
    }
  }
  return { files, bytes }
}
