import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { buildCommit, writeNote } from '@wadi/git/build-commit.ts'
import { openCommitTree, type CommitTree, type TreeCache } from '@wadi/git/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror.ts'
import { isAtomicUnsupported, pushRefs, type RefUpdate } from '@wadi/git/push.ts'
import { metadataDrySha, notesRef, readBranchState, type BranchState } from '../branch/branch-state.ts'
import type { CommitRequest } from './commit-request.ts'
import { signatureOf } from './commit-signature.ts'
import { planChanges, type PlannedChanges } from './plan-changes.ts'

const attempts = 12

/** Where the branch stands after a commit. */
export interface CommitOutcome {
  hydratedSha: string
  changedPaths: string[]
  /** Whether a foreign commit came in between and this one was built again on top of it. */
  rebuilt: boolean
  state: BranchState
}

/**
 * Builds a request on the branch's head and pushes branch and note together, never forced.
 *
 * The fence: the request names the position (head and dry commit) that it was computed from. A head or note moved by
 * another run ends the call with ConflictError, so of two runs for one branch only one can land, whatever the queue
 * did. A head moved by somebody else is built upon again. Each push is a compare-and-swap on the branch and the notes.
 * @throws ConflictError when another run moved the branch, UnavailableError when the branch moves faster than pushes
 * succeed, FailedPreconditionError for a protected branch.
 */
export async function writeCommit(
  mirror: Mirror,
  trees: TreeCache,
  request: CommitRequest,
  known: BranchState | undefined,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  const { header } = request
  const names = { branch: header.targetBranch, syncBranch: header.syncBranch }
  const expected = { head: header.base?.headSha || undefined, drySha: header.base?.drySha ?? '' }
  const outcome = { changedPaths: [] as string[], rebuilt: false }
  let state = known?.head === expected.head && known?.drySha === expected.drySha ? known : undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    state ??= await readBranchState(mirror, trees, names, signal)
    if (state.head !== expected.head) {
      await assertMovedByForeigner(mirror, trees, expected.head, state, header.targetBranch)
      outcome.rebuilt = true
      expected.head = state.head
      expected.drySha = state.drySha
    } else if (state.drySha !== expected.drySha) {
      throw movedByOtherRun(header.targetBranch)
    }
    const base = state.head ?? state.syncHead
    const tree = base === undefined ? undefined : await openCommitTree(mirror.objects, trees, base)
    const plan = await planChanges(tree, request)
    outcome.changedPaths.push(...plan.changedPaths.filter((path) => !outcome.changedPaths.includes(path)))
    const target = await buildTarget(mirror, request, state, plan, signal)
    const noted = state.noted && state.drySha === header.drySha
    if (target.head === state.head && noted) return { ...outcome, hydratedSha: target.head, state }
    const notes = await writeNote(mirror, {
      notesRef,
      ...(state.notes !== undefined && { currentNotesCommit: state.notes }),
      target: target.head,
      content: `${JSON.stringify({ drySha: header.drySha })}\n`,
      author: signatureOf(header),
    })
    const branchUpdates = target.updates
    const noteUpdate: RefUpdate = { source: notes, ref: notesRef, expected: state.notes }
    try {
      const landed = await pushTogether(mirror, branchUpdates, noteUpdate, signal)
      if (landed === 'all') {
        const next = { ...state, head: target.head, notes, noted: true, drySha: header.drySha }
        return { ...outcome, hydratedSha: target.head, state: { ...next, syncHead: target.syncHead } }
      }
      if (branchUpdates.length > 0) {
        expected.head = target.head
        expected.drySha = header.drySha
      }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
    }
    state = undefined
    await delay(Math.random() * 40 * attempt, undefined, { signal })
  }
  throw new UnavailableError(
    `branch ${header.targetBranch} or its notes moved ${attempts} times while this commit was pushed; it is tried again`,
  )
}

/** Makes the commits that the plan needs; without any change the head stays, and a missing branch starts at the sync branch. */
async function buildTarget(
  mirror: Mirror,
  request: CommitRequest,
  state: BranchState,
  plan: PlannedChanges,
  signal: AbortSignal,
): Promise<{ head: string; syncHead: string | undefined; updates: RefUpdate[] }> {
  const { header } = request
  const updates: RefUpdate[] = []
  const identity = signatureOf(header)
  let { syncHead } = state
  if (state.head === undefined && header.syncBranch !== '' && syncHead === undefined) {
    syncHead = await buildCommit(mirror, {
      message: `Initial commit for ${header.syncBranch}\n`,
      author: identity,
      committer: identity,
      changes: [],
      signal,
    })
    updates.push({ source: syncHead, ref: `refs/heads/${header.syncBranch}`, expected: undefined })
  }
  const parent = state.head ?? syncHead
  const head =
    plan.files.length === 0 && parent !== undefined
      ? parent
      : await buildCommit(mirror, {
          ...(parent !== undefined && { parent }),
          message: header.message || `${header.drySha.slice(0, 7)}: ${header.commitMessage}\n`,
          author: { ...identity, date: header.authorTime ? new Date(header.authorTime) : identity.date },
          committer: identity,
          changes: plan.files,
          signal,
        })
  if (head !== state.head) {
    updates.unshift({ source: head, ref: `refs/heads/${header.targetBranch}`, expected: state.head })
  }
  return { head, syncHead, updates }
}

/** Pushes all refs at once; a server without atomic pushes gets the branches first, then the note. */
async function pushTogether(
  mirror: Mirror,
  branches: RefUpdate[],
  note: RefUpdate,
  signal: AbortSignal,
): Promise<'all' | 'branches'> {
  try {
    await pushRefs(mirror, [...branches, note], { atomic: true, signal })
    return 'all'
  } catch (error) {
    if (!isAtomicUnsupported(error)) throw error
  }
  if (branches.length > 0) await pushRefs(mirror, branches, { atomic: false, signal })
  try {
    await pushRefs(mirror, [note], { atomic: false, signal })
    return 'all'
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    return 'branches'
  }
}

/** Every run that changes a branch rewrites its root metadata, so an unchanged one tells that others moved the head. */
async function assertMovedByForeigner(
  mirror: Mirror,
  trees: TreeCache,
  from: string | undefined,
  state: BranchState,
  branch: string,
): Promise<void> {
  const drySha = async (sha: string | undefined) =>
    sha === undefined ? '' : metadataDrySha(await openTree(mirror, trees, sha), '')
  if (state.noted || (await drySha(from)) !== (await drySha(state.head))) throw movedByOtherRun(branch)
}

function openTree(mirror: Mirror, trees: TreeCache, sha: string): Promise<CommitTree> {
  return openCommitTree(mirror.objects, trees, sha)
}

function movedByOtherRun(branch: string): ConflictError {
  return new ConflictError(`branch ${branch} was moved by another run; it is read and compared again`)
}
