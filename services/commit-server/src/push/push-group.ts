import { ConflictError, DomainError } from '@wadi/errors/domain-error.ts'
import type { BuiltPack } from '@wadi/git/commit/built-pack.ts'
import { buildCommits } from '@wadi/git/commit/build-commit.ts'
import type { CommitRef } from '@wadi/git/commit/fast-import.ts'
import { isAtomicUnsupported, pushRefs, type RefUpdate } from '@wadi/git/commit/push.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { refRefusedCode } from '@wadi/git/process/git-failure.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import type { KnownRefs } from '../branch/known-refs.ts'
import type { WaitingWrite } from './waiting-write.ts'

/** A repository that is pushed to. */
export interface PushedRepository {
  readonly mirror: Mirror
  readonly trees: TreeCache
  readonly known: KnownRefs
  /** The newest commit of the notes by which the writes were planned, and then the one that was pushed last. */
  notes: string | undefined
  /** True if the server is known to move several refs as one. */
  isAtomic: boolean
}

/**
 * Pushes planned writes of different branches with one signer as one, with one commit of notes. When the server refuses a ref, the group is
 * halved until the refused branch is alone, so the others land. A server without atomic pushes gets one branch at a time,
 * its note after it, and all notes of branches that do not move as one. A write that lost a race is left open.
 */
export async function pushGroup(
  repository: PushedRepository,
  group: readonly WaitingWrite[],
  signal: AbortSignal,
): Promise<void> {
  const open = group.filter(({ isOpen }) => isOpen)
  if (open.length === 0) return
  const { notes, pack } = await build(repository, open, signal)
  const branches = open.flatMap((write) => write.updates())
  const moving = open.filter((write) => write.updates().length > 0)
  if (!repository.isAtomic && moving.length > 1) {
    for (const write of moving) await pushGroup(repository, [write], signal)
    const resting = open.filter((write) => !moving.includes(write))
    return pushGroup(repository, resting, signal)
  }
  // Who has gone leaves the group before it is pushed.
  if (!open.every(({ isOpen }) => isOpen)) return pushGroup(repository, open, signal)
  try {
    const note = { source: notes, ref: notesRef, expected: repository.notes }
    await pushTogether(repository, { branches, note, pack }, signal)
    repository.notes = notes
    for (const write of open) write.landed(notes)
  } catch (error) {
    if (isAtomicUnsupported(error) && repository.isAtomic) {
      repository.isAtomic = false
      return pushGroup(repository, open, signal)
    }
    if (error instanceof ConflictError) return
    if (open.length === 1 || !isRefused(error)) {
      for (const write of open) write.fail(error)
      return
    }
    const middle = Math.ceil(open.length / 2)
    await pushGroup(repository, open.slice(0, middle), signal)
    await pushGroup(repository, open.slice(middle), signal)
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof DomainError && error.code === refRefusedCode
}

/** Makes the commits that are not there yet, and the commit with the notes of all writes; returns the latter, and the pack that holds all of them. */
async function build(
  { mirror, trees, notes: parent }: PushedRepository,
  writes: readonly WaitingWrite[],
  signal: AbortSignal,
): Promise<{ notes: string; pack: BuiltPack | undefined }> {
  const plans = writes.flatMap((write) => (write.planned ? [{ write, planned: write.planned }] : []))
  const commits = []
  const notes: { target: CommitRef; content: string }[] = []
  for (const { write, planned } of plans) {
    const first = commits.length
    const placed = (commit: CommitRef): CommitRef => (typeof commit === 'number' ? commit + first : commit)
    for (const commit of planned.commits) {
      commits.push(commit.parent === undefined ? commit : { ...commit, parent: placed(commit.parent) })
    }
    const { head, note = '', noteProblem } = write.state ?? {}
    // Who reads the history finds one note on what was the head, too.
    if (head !== undefined && head !== planned.head && note !== '' && noteProblem !== undefined) {
      notes.push({ target: head, content: note })
    }
    notes.push({ target: placed(planned.head), content: planned.note })
  }
  const [first] = plans
  if (first === undefined) throw new Error('a group needs a write')
  const { author } = first.planned
  const { signer } = first.write.write
  const sign = signer && ((commit: Buffer, abort?: AbortSignal) => signer.sign(commit, abort))
  const isAttested = plans.some(({ planned }) => planned.attest !== undefined)
  const notesPlan = { parent, trees, notes, author }
  const built = await buildCommits(mirror, commits, isAttested ? undefined : notesPlan, { sign, signal })
  let at = 0
  for (const { write, planned } of plans) {
    write.built(built.commits.slice(at, at + planned.commits.length))
    at += planned.commits.length
  }
  if (!isAttested) return { notes: built.notes ?? '', pack: built.pack }
  // What attests a commit names it, so it is written after the commits.
  const attesting = plans.map(async ({ write: { planned } }) =>
    planned?.attest?.(String(planned.head), signal),
  )
  const files = (await Promise.all(attesting)).flatMap((some) => some ?? [])
  const named = notes.map(({ target, content }) => ({
    target: typeof target === 'string' ? target : (built.commits[target] ?? ''),
    content,
  }))
  const noted = await buildCommits(mirror, [], { ...notesPlan, notes: named, files }, { sign, signal })
  return { notes: noted.notes ?? '', pack: undefined }
}

/** Pushes branches and notes as one; to a server without atomic pushes the branches first, so that a note never names what is not there. */
async function pushTogether(
  { mirror, known, isAtomic }: PushedRepository,
  { branches, note, pack }: { branches: readonly RefUpdate[]; note: RefUpdate; pack: BuiltPack | undefined },
  signal: AbortSignal,
): Promise<void> {
  const steps = isAtomic || branches.length === 0 ? [[...branches, note]] : [[...branches], [note]]
  for (const updates of steps) {
    await pushRefs(mirror, updates, { atomic: isAtomic && updates.length > 1, built: pack, signal })
    known.pushed(updates)
  }
}
