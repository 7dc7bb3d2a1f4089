import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { buildCommit, writeNote } from '@wadi/git/commit/build-commit.ts'
import { openCommitTree, type CommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RefUpdate } from '@wadi/git/commit/push.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readBranchState, type BranchState } from '../branch/branch-state.ts'
import { heldDryRecord } from '../branch/held-metadata.ts'
import { dryNoteText, noteId } from '../branch/dry-note.ts'
import type { CommitManifests } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { CommitRequest } from './commit-request.ts'
import { signatureOf } from './commit-signature.ts'
import { withTrailers } from './tool-changes.ts'
import { planChanges, type PlannedChanges } from './plan-changes.ts'
import { pushTogether } from './push-together.ts'

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
  const expected = positionOf(header)
  const wanted = { drySha: header.newestDrySha || header.drySha, dryCommits: header.dryCommits }
  const note = dryNoteText(wanted)
  const outcome = { changedPaths: [] as string[], rebuilt: false }
  let state = known && known.head === expected.head && isAt(known, expected) ? known : undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    state ??= await readBranchState(mirror, trees, names, signal)
    if (state.head !== expected.head) {
      await assertMovedByForeigner(mirror, trees, expected.head, state, header.targetBranch)
      outcome.rebuilt = true
      expected.head = state.head
      expected.drySha = state.drySha
      expected.noteId = noteId(state.note)
    } else if (!isAt(state, expected)) {
      throw movedByOtherRun(header.targetBranch)
    }
    const base = state.head ?? state.syncHead
    const tree = base === undefined ? undefined : await openCommitTree(mirror.objects, trees, base)
    const plan = await planChanges(tree, request)
    outcome.changedPaths.push(...plan.changedPaths.filter((path) => !outcome.changedPaths.includes(path)))
    const target = await buildTarget(mirror, request, state, plan, signal)
    if (target.head === state.head && state.note === note)
      return { ...outcome, hydratedSha: target.head, state }
    const notes = await writeNote(mirror, {
      notesRef,
      ...(state.notes !== undefined && { currentNotesCommit: state.notes }),
      target: target.head,
      content: note,
      author: signatureOf(header),
    })
    const branchUpdates = target.updates
    const noteUpdate: RefUpdate = { source: notes, ref: notesRef, expected: state.notes }
    try {
      const landed = await pushTogether(mirror, branchUpdates, noteUpdate, signal)
      if (landed === 'all') {
        const next = { ...state, head: target.head, notes, note, drySha: wanted.drySha }
        return { ...outcome, hydratedSha: target.head, state: { ...next, syncHead: target.syncHead } }
      }
      if (branchUpdates.length > 0) {
        Object.assign(expected, { head: target.head, drySha: wanted.drySha, noteId: '' })
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

/** The position that a run started from. */
interface ExpectedPosition {
  head: string | undefined
  drySha: string
  /** Empty when the run does not know it: the head had no note then, or the run is of an older version. */
  noteId: string
}

function positionOf({ base }: CommitManifests): ExpectedPosition {
  return { head: base?.headSha || undefined, drySha: base?.drySha ?? '', noteId: base?.noteId ?? '' }
}

/** Whether the dry side of a branch is as a run found it; on a branch that several sources feed the note lists all. */
function isAt(state: BranchState, expected: ExpectedPosition): boolean {
  if (state.drySha !== expected.drySha) return false
  return expected.noteId === '' || noteId(state.note) === expected.noteId
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
          message: withTrailers(
            header.message || `${header.drySha.slice(0, 7)}: ${header.commitMessage}\n`,
            plan.trailers,
          ),
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

/** Every run that changes a branch rewrites its root metadata, so an unchanged one means that others moved the head. */
async function assertMovedByForeigner(
  mirror: Mirror,
  trees: TreeCache,
  from: string | undefined,
  state: BranchState,
  branch: string,
): Promise<void> {
  const record = async (sha: string | undefined) =>
    sha === undefined ? '' : dryNoteText(await heldDryRecord(await openTree(mirror, trees, sha), ''))
  if (state.note !== '' || (await record(from)) !== (await record(state.head))) throw movedByOtherRun(branch)
}

function openTree(mirror: Mirror, trees: TreeCache, sha: string): Promise<CommitTree> {
  return openCommitTree(mirror.objects, trees, sha)
}

function movedByOtherRun(branch: string): ConflictError {
  return new ConflictError(`branch ${branch} was moved by another run; it is read and compared again`)
}
