import type { FileEntry, FileTree } from '@wadi/file-trees/file-tree.ts'

/** With more changed paths, finding what depends on them costs as much as computing it again. */
const maxPaths = 20_000

type Changed = ReadonlySet<string> | undefined

/** The changed paths of pairs of trees, the later one first. */
const known = new WeakMap<FileTree, WeakMap<FileTree, Promise<Changed>>>()

/**
 * Returns every path at which two trees have another entry, the directories above and, for a directory that came or went, all that is
 * below it, also beside the root. A path that is not among them has the same id in both, or is absent from both. Undefined above 20,000 paths, and when the
 * earlier tree cannot be read any more.
 */
export async function changedPaths(before: FileTree, after: FileTree): Promise<Changed> {
  const pairs = known.getOrInsertComputed(after, () => new WeakMap())
  return pairs.getOrInsertComputed(before, () => findChanged(before, after))
}

/** Returns true if two trees have the same entries at all of some paths. */
export async function areUnchanged(
  paths: readonly string[],
  before: FileTree,
  after: FileTree,
): Promise<boolean> {
  const changed = await changedPaths(before, after)
  return changed !== undefined && !paths.some((path) => changed.has(path))
}

async function findChanged(before: FileTree, after: FileTree): Promise<Changed> {
  const changed = new Set<string>()
  try {
    for (const root of new Set(['', ...(before.beside ?? []), ...(after.beside ?? [])])) {
      const pair = [await before.entry(root), await after.entry(root)] as const
      await compareEntries({ before, after, changed }, root, pair)
    }
  } catch {
    return undefined
  }
  return changed.size > maxPaths ? undefined : changed
}

interface Comparison {
  readonly before: FileTree
  readonly after: FileTree
  readonly changed: Set<string>
}

type Pair = readonly [old: FileEntry | undefined, now: FileEntry | undefined]

async function compareEntries(comparison: Comparison, path: string, [old, now]: Pair): Promise<void> {
  const { before, after, changed } = comparison
  if (old?.id === now?.id && old?.kind === now?.kind) return
  changed.add(path)
  if (changed.size > maxPaths) return
  const isThere = (entry: FileEntry | undefined): boolean => entry?.kind === 'directory'
  if (!isThere(old) && !isThere(now)) return
  const listed = async (tree: FileTree, entry: FileEntry | undefined) =>
    new Map((isThere(entry) ? await tree.list(path) : []).map((each) => [each.name, each]))
  const [olds, nows] = [await listed(before, old), await listed(after, now)]
  for (const name of new Set([...olds.keys(), ...nows.keys()])) {
    const pair = [olds.get(name), nows.get(name)] as const
    await compareEntries(comparison, path === '' ? name : `${path}/${name}`, pair)
  }
}
