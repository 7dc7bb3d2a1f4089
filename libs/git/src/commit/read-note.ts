import type { Mirror } from '../mirror/mirror.ts'
import { openCommitTree, type TreeCache } from '../objects/commit-tree.ts'
import { assertCommitSha } from '../mirror/revision.ts'

const maxNoteBytes = 1024 * 1024

/** Reads the note on a commit, or undefined if it has none. Starts no process, and notes of one commit of notes share its trees. */
export async function readNote(
  { objects }: Pick<Mirror, 'objects'>,
  trees: TreeCache,
  notesCommit: string,
  target: string,
): Promise<string | undefined> {
  assertCommitSha(target)
  const tree = await openCommitTree(objects, trees, notesCommit)
  // git spreads notes over one more level of two-digit directories each time there are 256 times as many.
  for (const levels of [0, 1, 2, 3]) {
    const entry = await tree.entry(fanOut(target, levels))
    if (entry?.kind === 'file' || entry?.kind === 'executable')
      return (await tree.read(entry, maxNoteBytes)).toString()
  }
  return undefined
}

function fanOut(sha: string, levels: number): string {
  const directories = Array.from({ length: levels }, (_, level) => sha.slice(level * 2, level * 2 + 2))
  return [...directories, sha.slice(levels * 2)].join('/')
}
