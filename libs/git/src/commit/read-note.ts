import type { Mirror } from '../mirror/mirror.ts'
import { openCommitTree, type TreeCache } from '../objects/commit-tree.ts'
import { placedNotes } from './note-places.ts'

/** The notes on a commit. */
export type HeldNote = {
  /** The note that was written last. */
  readonly text: string
  /** The number of notes of the commit: git joins several into one text, which no reader can parse. */
  readonly count: number
}

const maxNoteBytes = 1024 * 1024
const searchMs = 10_000

/** Reads the note on a commit, or undefined if it has none; of several the one that was written last. */
export async function readNote(...where: Parameters<typeof findNote>): Promise<string | undefined> {
  return (await findNote(...where))?.text
}

/**
 * Finds the note on a commit, or undefined if it has none, wherever it lies. Starts no process unless there are several, and notes of
 * one commit of notes share its trees.
 */
export async function findNote(
  mirror: Pick<Mirror, 'objects' | 'raw' | 'completeHistory'>,
  trees: TreeCache,
  notesCommit: string,
  target: string,
): Promise<HeldNote | undefined> {
  const tree = await openCommitTree(mirror.objects, trees, notesCommit)
  const all = await placedNotes(tree, target)
  const [first] = all
  if (first === undefined) return undefined
  const newest =
    all.length === 1
      ? first.path
      : await newestOf(
          mirror,
          notesCommit,
          all.map(({ path }) => path),
        )
  const { entry } = all.find(({ path }) => path === newest) ?? first
  return { text: (await tree.read(entry, maxNoteBytes)).toString(), count: all.length }
}

/** Which of some paths was changed last; the first where the history does not tell. */
async function newestOf(
  mirror: Pick<Mirror, 'raw' | 'completeHistory'>,
  notesCommit: string,
  paths: readonly string[],
): Promise<string | undefined> {
  const flags = ['--max-count=1', '--format=', '--name-only', '-z', '--no-renames', '--diff-filter=AM']
  const args = ['log', ...flags, notesCommit, '--', ...paths]
  await mirror.completeHistory([notesCommit], undefined, 'trees')
  const found = await mirror.raw(args, { timeoutMs: searchMs }).catch(() => undefined)
  return found?.stdout
    .toString('latin1')
    .split('\0')
    .find((path) => paths.includes(path))
}
