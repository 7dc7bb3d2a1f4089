import { byName } from '@wadi/order/by-name.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'

/** Yields the paths of files that differ between two trees, in their order. Equal directories are not read. */
export async function* changedFiles(
  before: FileTree,
  after: FileTree,
  directory = '',
): AsyncGenerator<string> {
  const [olds, news] = [await entriesOf(before, directory), await entriesOf(after, directory)]
  const names = [...olds.values(), ...news.values()].toSorted(byName).map(({ name }) => name)
  for (const name of new Set(names)) {
    const [old, next] = [olds.get(name), news.get(name)]
    if (old?.id === next?.id && old?.kind === next?.kind) continue
    const path = childPath(directory, name)
    if ([old, next].some((entry) => entry?.kind === 'directory')) yield* changedFiles(before, after, path)
    if ([old, next].some((entry) => isFile(entry))) yield path
  }
}

function isFile(entry: FileEntry | undefined): boolean {
  return entry?.kind === 'file' || entry?.kind === 'executable'
}

async function entriesOf(tree: FileTree, directory: string): Promise<Map<string, FileEntry>> {
  const isThere = directory === '' || (await tree.entry(directory))?.kind === 'directory'
  return new Map((isThere ? await tree.list(directory) : []).map((entry) => [entry.name, entry]))
}
