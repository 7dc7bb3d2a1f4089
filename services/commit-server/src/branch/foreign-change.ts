import { openCommitTree, type CommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { readCommitMetadata } from '@wadi/git/commit/commit-metadata.ts'
import { readNote } from '@wadi/git/commit/read-note.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { ensureCommits } from './ensure-commits.ts'
import type { BranchState } from './branch-state.ts'
import { dryNoteText } from './dry-note.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { writtenFiles } from './written-files.ts'

/** The differences between a branch and the head that Wadi left. */
interface Comparison {
  /** Somebody else's change; undefined if nobody else changed a file that Wadi wrote. */
  change: ForeignChange | undefined
  /** True if every file that Wadi wrote is as it was. */
  unchanged: boolean
  /** The newest commit of Wadi's since then; absent for none. */
  ownHead?: string
}

const asBefore: Comparison = { change: undefined, unchanged: true }

/** Somebody else's change to a hydrated branch. */
export interface ForeignChange {
  kind: 'deleted' | 'rewound' | 'rewritten' | 'edited'
  /** Files that Wadi wrote and that differ now, sorted; none when they cannot be compared. */
  paths: string[]
  /** The newest foreign commit that changed one of them; empty when there is none to name. */
  commit: string
  /** Its author, `Name <email>`. */
  author: string
  /** The commit as git has it; empty when there is none to name, or it is too long. */
  commitObject: Buffer
}

/** The most bytes of a commit whose signature is checked. */
const maxCommitBytes = 64 * 1024
const maxReadBytes = 64 * 1024 * 1024

/** The most foreign commits that are looked through; of a longer history only the difference is reported. */
const maxCommits = 1_000

/**
 * Finds out what somebody else changed on a branch since the head that Wadi left. Only files that Wadi wrote are compared; its own
 * commits, which have a note, do not, and neither does a branch that is gone because it was merged.
 * @param knownHead the head that Wadi left
 * @param options.interrupted true if a commit without a note may be Wadi's own too, if it changes the root's record
 * @param state the state of the branch, with the head of the branch that is deployed from
 */
export async function findForeignChange(
  mirror: Mirror,
  trees: TreeCache,
  knownHead: string,
  state: BranchState,
  signal: AbortSignal,
  { interrupted = false } = {},
): Promise<Comparison> {
  const { head } = state
  if (head === knownHead) return asBefore
  const known = await openKnown(mirror, trees, knownHead, signal)
  if (head === undefined) {
    const merged = known !== undefined && (await wasMerged(mirror, trees, known, state.syncHead, signal))
    return { change: merged ? undefined : unnamed('deleted'), unchanged: false }
  }
  if (known === undefined) return changed(await named(mirror, unnamed('rewritten'), head))
  if (await mirror.isAncestor(knownHead, head, signal)) {
    return editedSince(mirror, trees, { known, state, interrupted }, signal)
  }
  const paths = await writtenFiles(known, await changedFiles(mirror, knownHead, head, signal))
  if (paths.length === 0) return asBefore
  const change = { ...unnamed('rewritten'), paths }
  if (await mirror.isAncestor(head, knownHead, signal)) return changed({ ...change, kind: 'rewound' })
  return changed(await named(mirror, change, head))
}

function changed(change: ForeignChange): Comparison {
  return { change, unchanged: false }
}

/** The files of the head that Wadi left; undefined when the server does not send it any more. */
export async function openKnown(
  mirror: Mirror,
  trees: TreeCache,
  knownHead: string,
  signal: AbortSignal,
): Promise<CommitTree | undefined> {
  if (!(await mirror.hasObject(knownHead))) {
    await mirror.fetch([knownHead], signal).catch(() => undefined)
    signal.throwIfAborted()
    if (!(await mirror.hasObject(knownHead))) return undefined
  }
  return openCommitTree(mirror.objects, trees, knownHead)
}

/** Returns true if everything of a branch reached the one that is deployed from, by a merge or as one squashed commit. */
async function wasMerged(
  mirror: Mirror,
  trees: TreeCache,
  known: CommitTree,
  syncHead: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (syncHead === undefined) return false
  if (await mirror.isAncestor(known.sha, syncHead, signal)) return true
  const sync = await openCommitTree(mirror.objects, trees, syncHead)
  return (await sync.entry(''))?.id === (await known.entry(''))?.id
}

async function editedSince(
  mirror: Mirror,
  trees: TreeCache,
  compared: { known: CommitTree; state: BranchState; interrupted: boolean },
  signal: AbortSignal,
): Promise<Comparison> {
  const { known, interrupted } = compared
  const { head = '', notes } = compared.state
  const paths = new Set(await writtenFiles(known, await changedFiles(mirror, known.sha, head, signal)))
  if (paths.size === 0) return asBefore
  const foreign = new Set<string>()
  let newest = ''
  let ownHead: string | undefined
  const commits = await commitsSince(mirror, known.sha, head, signal)
  for (const { sha, files } of commits) {
    const noted = notes !== undefined && (await readNote(mirror, trees, notes, sha)) !== undefined
    const isOwn = noted || (interrupted && (await changesRecord(mirror, trees, sha)))
    if (isOwn) ownHead ??= sha
    for (const path of files) {
      if (!paths.delete(path) || isOwn) continue
      foreign.add(path)
      newest ||= sha
    }
  }
  // What no commit of a long history names was changed before those that were looked through.
  for (const path of commits.length === maxCommits ? paths : []) foreign.add(path)
  const own = ownHead === undefined ? {} : { ownHead }
  if (foreign.size === 0) return { change: undefined, unchanged: false, ...own }
  const change = { ...unnamed('edited'), paths: [...foreign].toSorted() }
  return { ...changed(await named(mirror, change, newest || head)), ...own }
}

/** Returns true if a commit changes the dry side in the root's record, as every commit of Wadi does. */
async function changesRecord(mirror: Mirror, trees: TreeCache, sha: string): Promise<boolean> {
  const [parent] = (await readCommitMetadata(mirror.objects, sha)).parents
  const record = async (commit: string) =>
    dryNoteText(await heldDryRecord(await openCommitTree(mirror.objects, trees, commit), ''))
  return parent === undefined || (await record(parent)) !== (await record(sha))
}

async function changedFiles(
  mirror: Mirror,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to]
  const { stdout } = await mirror.raw(args, { signal })
  return stdout.toString('utf8').split('\0').filter(Boolean)
}

/** The commits after one up to another along first parents, the newest first, each with the files that it changed. */
async function commitsSince(
  mirror: Mirror,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<{ sha: string; files: string[] }[]> {
  const flags = ['--first-parent', '--diff-merges=first-parent', '--no-renames', '--name-only', '-z']
  const range = [`--max-count=${maxCommits}`, to, `^${from}`, '--']
  if (mirror.isPart) {
    const listed = await mirror.raw(['rev-list', '--first-parent', ...range], { signal })
    await ensureCommits(mirror, listed.stdout.toString().split('\n').filter(Boolean), signal)
  }
  const { stdout } = await mirror.raw(['log', ...flags, '--format=%x01%H', ...range], { signal })
  return stdout
    .toString('utf8')
    .split('\u0001')
    .slice(1)
    .map((entry) => {
      const [sha = '', ...files] = entry.split('\0')
      return { sha: sha.trim(), files: files.map((file) => file.replace(/^\n/u, '')).filter(Boolean) }
    })
}

function unnamed(kind: ForeignChange['kind']): ForeignChange {
  return { kind, paths: [], commit: '', author: '', commitObject: Buffer.alloc(0) }
}

async function named(mirror: Mirror, change: ForeignChange, commit: string): Promise<ForeignChange> {
  const { author } = await readCommitMetadata(mirror.objects, commit)
  const { bytes } = await mirror.objects.read(commit, maxReadBytes)
  const commitObject = bytes.length > maxCommitBytes ? Buffer.alloc(0) : bytes
  return { ...change, commit, author, commitObject }
}
