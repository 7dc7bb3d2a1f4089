import type { CommitTree } from '../objects/commit-tree.ts'
import { dividedEntries, newPlace, placedNotes } from './note-places.ts'

/** A note to be written: its commit, and its content as fast-import names it. */
type WrittenNote = { readonly target: string; readonly blob: string }

/**
 * The commands of fast-import by which each of some commits has one note, in git's layout of the tree. Its own command for notes expects a
 * layout by their number alone, which git's is not, and reads all of them.
 * @param tree the notes that are there; undefined for none
 */
export async function noteCommands(
  tree: CommitTree | undefined,
  notes: readonly WrittenNote[],
): Promise<Buffer[]> {
  if (!tree) return notes.map(({ target, blob }) => modify('100644', blob, target))
  const replaced = new Set<string>()
  const written: Buffer[] = []
  let division: { directory: string; digits: number } | undefined
  for (const { target, blob } of notes) {
    const { place, divided } = await newPlace(tree, target)
    for (const { path } of await placedNotes(tree, target)) if (path !== place) replaced.add(path)
    written.push(modify('100644', blob, place))
    const directory = divided
    if (directory === undefined) continue
    // What is below one that is divided now can wait for a later write.
    if (division && division.directory.length <= directory.length) continue
    division = { directory, digits: target.length - directory.replaceAll('/', '').length }
  }
  const removed = [...replaced].map((path) => Buffer.from(`D ${path}\n`))
  if (!division) return [...removed, ...written]
  const { directory } = division
  // fast-import moves no note that is not there.
  await tree.ready([directory])
  const entries = dividedEntries(await tree.list(directory), { ...division, replaced })
  // To remove them one by one would look for each among all.
  const cleared = Buffer.from(directory === '' ? 'deleteall\n' : `D ${directory}\n`)
  const moved = entries.map(({ path, entry: { mode, id } }) => modify(mode, id, path))
  return [cleared, ...moved, ...removed, ...written]
}

function modify(mode: string, object: string, path: string): Buffer {
  const quoted = path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)
  return Buffer.from(`M ${mode} ${object} "${quoted}"\n`)
}
