import { byName } from '@wadi/order/by-name.ts'
import type { FileEntry, FileTree } from './file-tree.ts'
import { childPath } from './repository-path.ts'

/** An entry that differs between two trees: a file, a symlink or a submodule. */
export interface ChangedEntry {
  readonly path: string
  /** Undefined where it is not there, or is a directory. */
  readonly old: FileEntry | undefined
  readonly next: FileEntry | undefined
}

/** Yields the paths of files that differ between two trees, in their order. Equal directories are not read. */
export async function* changedFiles(before: FileTree, after: FileTree): AsyncGenerator<string> {
  for await (const { path, old, next } of changedEntries(before, after))
    if (isFile(old) || isFile(next)) yield path
}

/** Yields the entries below a directory that differ between two trees, in the order of their paths. Equal directories are not read. */
export async function* changedEntries(
  before: FileTree,
  after: FileTree,
  directory = '',
): AsyncGenerator<ChangedEntry> {
  const [olds, news] = [await entriesOf(before, directory), await entriesOf(after, directory)]
  const names = [...olds.values(), ...news.values()].toSorted(byName).map(({ name }) => name)
  for (const name of new Set(names)) {
    const [old, next] = [olds.get(name), news.get(name)]
    if (old?.id === next?.id && old?.kind === next?.kind) continue
    const path = childPath(directory, name)
    if ([old, next].some((entry) => entry?.kind === 'directory')) yield* changedEntries(before, after, path)
    const [oldLeaf, newLeaf] = [leafOf(old), leafOf(next)]
    if (oldLeaf || newLeaf) yield { path, old: oldLeaf, next: newLeaf }
  }
}

function leafOf(entry: FileEntry | undefined): FileEntry | undefined {
  return entry?.kind === 'directory' ? undefined : entry
}

function isFile(entry: FileEntry | undefined): boolean {
  return entry?.kind === 'file' || entry?.kind === 'executable'
}

async function entriesOf(tree: FileTree, directory: string): Promise<Map<string, FileEntry>> {
  const isThere = directory === '' || (await tree.entry(directory))?.kind === 'directory'
  return new Map((isThere ? await tree.list(directory) : []).map((entry) => [entry.name, entry]))
}
