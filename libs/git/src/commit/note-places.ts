import type { CommitTree } from '../objects/commit-tree.ts'
import type { TreeEntry } from '../objects/tree-entries.ts'
import { assertCommitSha } from '../mirror/revision.ts'

/** An entry that git takes for a note of a commit. */
type PlacedNote = { readonly path: string; readonly entry: TreeEntry }

/** The place of a commit's new note, and the note before it. */
type NewPlace = {
  readonly place: string
  /** A directory, empty for the root, whose notes go one level down as git would have them; undefined for none. */
  readonly divided: string | undefined
}

/** More names than git leaves in one directory of notes. */
const maxUndivided = 256

/**
 * Finds all notes of a commit in a tree of notes, nearest to the root first. Git spreads notes over directories of two digits, over one
 * level more the more there are, and other programs in other ways, so there may be one at each level. Only the directories on the way are read.
 */
export async function placedNotes(tree: CommitTree, target: string): Promise<PlacedNote[]> {
  const found: PlacedNote[] = []
  for (const path of await waysTo(tree, target)) {
    const entry = await tree.entry(path)
    if (entry && isFile(entry)) found.push({ path, entry })
  }
  return found
}

/** Decides where a new note of a commit goes: the layout that the tree has is followed, and it is divided where git would divide it. */
export async function newPlace(tree: CommitTree, target: string): Promise<NewPlace> {
  const paths = await waysTo(tree, target)
  const place = paths.at(-1) ?? target
  for (const path of paths) {
    const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const isLast = path === place
    const size = await tree.size(directory)
    if (!isLast && size <= maxUndivided) continue
    const entries = await tree.list(directory)
    const rest = path.slice(directory === '' ? 0 : directory.length + 1)
    const hasNotes = entries.some((entry) => isNoteName(entry, rest.length))
    if (!isLast) {
      if (hasNotes) return { place, divided: directory }
      continue
    }
    const below = `${path.slice(0, -rest.length)}${rest.slice(0, 2)}/${rest.slice(2)}`
    const isTaken = entries.some(({ name }) => name === rest.slice(0, 2))
    if (isTaken || rest.length <= 2 || !wantsDivision(entries, rest.length)) continue
    return { place: below, divided: hasNotes ? directory : undefined }
  }
  return { place, divided: undefined }
}

/**
 * Returns the entries of a directory of notes after its division: each with the path that it has then. Other entries stay.
 * @param replaced paths of notes that are written again, which go away
 */
export function dividedEntries(
  entries: readonly TreeEntry[],
  { directory, digits, replaced }: { directory: string; digits: number; replaced: ReadonlySet<string> },
): { path: string; entry: TreeEntry }[] {
  const inside = (name: string): string => (directory === '' ? name : `${directory}/${name}`)
  const taken = new Set(entries.filter(({ kind }) => kind !== 'directory').map(({ name }) => name))
  // Directories come first, as notes go into them.
  const ordered = entries.toSorted((a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory'))
  return ordered
    .filter(({ name }) => !replaced.has(inside(name)))
    .map((entry) => {
      const { name } = entry
      const moves = isNoteName(entry, digits) && !taken.has(name.slice(0, 2))
      return { path: inside(moves ? `${name.slice(0, 2)}/${name.slice(2)}` : name), entry }
    })
}

/** The paths at which a note of a commit may lie, one for each level of directories that are there. */
async function waysTo(tree: CommitTree, target: string): Promise<string[]> {
  assertCommitSha(target)
  const sha = target.toLowerCase()
  const paths = [sha]
  let directory = ''
  for (let digits = 2; digits < sha.length; digits += 2) {
    directory += `${directory && '/'}${sha.slice(digits - 2, digits)}`
    if ((await tree.entry(directory))?.kind !== 'directory') break
    paths.push(`${directory}/${sha.slice(digits)}`)
  }
  return paths
}

/** Returns whether git would divide a directory: it is divided already, has many notes, or two of each first digit. */
function wantsDivision(entries: readonly TreeEntry[], digits: number): boolean {
  if (entries.some(({ name, kind }) => kind === 'directory' && /^[0-9a-f]{2}$/.test(name))) return true
  const notes = entries.filter((entry) => isNoteName(entry, digits))
  const digitsOf = Map.groupBy(notes, ({ name }) => name.slice(0, 1))
  return (
    notes.length > maxUndivided || [...digitsOf.values()].filter(({ length }) => length > 1).length === 16
  )
}

function isNoteName(entry: TreeEntry, digits: number): boolean {
  return isFile(entry) && entry.name.length === digits && /^[0-9a-f]+$/.test(entry.name)
}

function isFile({ kind }: TreeEntry): boolean {
  return kind === 'file' || kind === 'executable'
}
