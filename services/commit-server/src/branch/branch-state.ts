import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { openCommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { assertNotesCommit, readDryNote } from './dry-note.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'

/** The state of a hydrated branch on the remote. */
export interface BranchState {
  /** The branch's head; undefined when the branch does not exist. */
  head: string | undefined
  /** Head of the branch that is deployed from, when it is another one; undefined when that does not exist. */
  syncHead: string | undefined
  /** The newest commit of the notes ref; undefined when there is none. */
  notes: string | undefined
  /** The text of the head's note; empty when it has none that names a dry commit. */
  note: string
  /** The reason why promoters cannot read the head's note, as the end of a sentence about the head; absent if they can. */
  noteProblem?: string
  /** The dry commit that the head holds by its note, else by its root metadata; empty when it has neither. */
  drySha: string
}

/** A hydrated branch and the one that is deployed from; empty when that is the same. */
interface BranchNames {
  branch: string
  syncBranch: string
}

/** Asks the remote where a branch stands and fetches what the mirror lacks of it. */
export async function readBranchState(
  mirror: Mirror,
  trees: TreeCache,
  names: BranchNames,
  signal: AbortSignal,
): Promise<BranchState> {
  return fetchBranchState(mirror, trees, names, (await mirror.listRemote(signal)).refs, signal)
}

/** Returns the state of a branch at the refs that the remote reported; fetches what the mirror lacks of it. */
export async function fetchBranchState(
  mirror: Mirror,
  trees: TreeCache,
  names: BranchNames,
  refs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<BranchState> {
  await fetchBranches(mirror, [names.branch, names.syncBranch], refs, signal)
  return branchStateAt(mirror, trees, names, refs)
}

/** Returns the state of a branch at the refs that the remote reported, all of which the mirror has. */
export async function branchStateAt(
  mirror: Mirror,
  trees: TreeCache,
  names: BranchNames,
  refs: ReadonlyMap<string, string>,
): Promise<BranchState> {
  const { branchRef, syncRef } = refsOf(names)
  const wanted = new Set([branchRef, syncRef])
  for (const ref of wanted) if (!refs.has(ref)) assertRefCanBe(ref, [...refs.keys(), ...wanted])
  const head = refs.get(branchRef)
  const notes = refs.get(notesRef)
  return {
    head,
    syncHead: syncRef === branchRef ? undefined : refs.get(syncRef),
    notes,
    ...(await readDrySha(mirror, trees, head, notes)),
  }
}

/** Returns true if a state is that of the refs that the remote reports now. */
export function isStateAt(
  { head, syncHead, notes }: BranchState,
  names: BranchNames,
  refs: ReadonlyMap<string, string>,
): boolean {
  const { branchRef, syncRef } = refsOf(names)
  const hasSyncHead = syncRef === branchRef || syncHead === refs.get(syncRef)
  return head === refs.get(branchRef) && notes === refs.get(notesRef) && hasSyncHead
}

function refsOf({ branch, syncBranch }: BranchNames): { branchRef: string; syncRef: string } {
  const branchRef = `refs/heads/${branch}`
  return { branchRef, syncRef: syncBranch === '' ? branchRef : `refs/heads/${syncBranch}` }
}

/** Fetches branches, by their short names of which empty ones are none, and the notes, as far as the mirror lacks what the remote said of them. */
export async function fetchBranches(
  mirror: Mirror,
  branches: readonly string[],
  refs: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const wanted = [...new Set([...branches.map((branch) => `refs/heads/${branch}`), notesRef])]
  const isMissing = async (ref: string): Promise<boolean> => {
    const sha = refs.get(ref)
    return sha !== undefined && !(await mirror.hasObject(sha))
  }
  const found = await Promise.all(wanted.map(isMissing))
  const missing = wanted.filter((_, index) => found[index])
  if (missing.length === 0) return
  await mirror.fetch(
    missing.map((ref) => `+${ref}:${mirrorRef(ref)}`),
    signal,
  )
}

/**
 * Git keeps branches like files in directories, so `a` and `a/b` cannot both exist.
 * @throws FailedPreconditionError that names the branch in the way
 */
function assertRefCanBe(ref: string, refs: readonly string[]): void {
  const other = refs.find((known) => known.startsWith(`${ref}/`) || ref.startsWith(`${known}/`))
  if (other === undefined) return
  const name = (full: string): string => full.replace(/^refs\/heads\//u, '')
  throw new FailedPreconditionError(
    `branch ${name(ref)} cannot be created beside branch ${name(other)}: git takes one of the names for a directory; ` +
      'rename one of them',
  )
}

async function readDrySha(
  mirror: Mirror,
  trees: TreeCache,
  head: string | undefined,
  notes: string | undefined,
): Promise<Pick<BranchState, 'note' | 'noteProblem' | 'drySha'>> {
  if (notes !== undefined) await assertNotesCommit(mirror, notes)
  if (head === undefined) return { note: '', drySha: '' }
  const { text: note, problem } = (await readDryNote(mirror, trees, notes, head)) ?? { text: '' }
  const seen = { note, ...(problem !== undefined && { noteProblem: problem }) }
  if (note !== '') return { ...seen, drySha: readHydratorMetadata(note).drySha }
  const tree = await openCommitTree(mirror.objects, trees, head)
  return { ...seen, drySha: (await heldDryRecord(tree, '')).drySha }
}
