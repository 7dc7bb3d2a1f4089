import { ConflictError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { buildCommit, readNote, writeNote } from '@wadi/git/commit/build-commit.ts'
import { openCommitTree, type CommitTree, type TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RefUpdate } from '@wadi/git/commit/push.ts'
import { commitGoneCode } from '@wadi/hydration/error-codes.ts'
import type { RestoreBranchRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import { readBranchState, type BranchState } from '../branch/branch-state.ts'
import { heldDryRecord } from '../branch/held-metadata.ts'
import { dryNoteText } from '../branch/dry-note.ts'
import { findForeignChange } from '../branch/foreign-change.ts'
import { signatureOf } from './commit-signature.ts'
import { pushTogether } from './push-together.ts'

const maxFileBytes = 64 * 1024 * 1024

/**
 * Puts back what Wadi had written to a branch: a deleted branch is created again at the head that Wadi left, a rewound one
 * moves forward to it, and any other gets a commit with those of Wadi's files that differ. Nothing is forced.
 * @throws ConflictError when the branch is not at the request's head any more, FailedPreconditionError when the head that
 * Wadi left cannot be had any more or something of somebody else stands where a file must be
 */
export async function restoreBranch(
  mirror: Mirror,
  trees: TreeCache,
  request: RestoreBranchRequest,
  signal: AbortSignal,
): Promise<BranchState> {
  const { branch, knownHead } = request
  const state = await readBranchState(mirror, trees, { branch, syncBranch: '' }, signal)
  if ((state.head ?? '') !== request.head) {
    throw new ConflictError(`branch ${branch} moved while it was restored; it is read and compared again`)
  }
  if (!(await mirror.hasObject(knownHead))) {
    throw new FailedPreconditionError(
      `branch ${branch} cannot be restored: commit ${knownHead}, which Wadi left it at, is gone from the repository`,
      { code: commitGoneCode },
    )
  }
  const known = await openCommitTree(mirror.objects, trees, knownHead)
  const forward = state.head === undefined || (await mirror.isAncestor(state.head, knownHead, signal))
  const head = forward ? knownHead : await commitOnTop(mirror, trees, request, known, state, signal)
  const held = state.notes === undefined ? undefined : await readNote(mirror, state.notes, knownHead)
  const note = held ?? dryNoteText(await heldDryRecord(known, ''))
  const { drySha } = readHydratorMetadata(note)
  const notes = await writeNote(mirror, {
    notesRef,
    ...(state.notes !== undefined && { currentNotesCommit: state.notes }),
    target: head,
    content: note,
    author: signatureOf(request),
  })
  const update: RefUpdate = { source: head, ref: `refs/heads/${branch}`, expected: state.head }
  const updates = head === state.head ? [] : [update]
  const landed = await pushTogether(
    mirror,
    updates,
    { source: notes, ref: notesRef, expected: state.notes },
    signal,
  )
  return landed === 'all' ? { ...state, head, notes, note, drySha } : { ...state, head, note: '', drySha }
}

async function commitOnTop(
  mirror: Mirror,
  trees: TreeCache,
  request: RestoreBranchRequest,
  known: CommitTree,
  state: BranchState,
  signal: AbortSignal,
): Promise<string> {
  const { head = '' } = state
  const { change } = await findForeignChange(mirror, trees, known.sha, state, signal)
  if (change === undefined) return head
  const current = await openCommitTree(mirror.objects, trees, head)
  const changes = []
  for (const path of change.paths) {
    const entry = await known.entry(path)
    await assertFileCanBe(current, path)
    changes.push({ path, content: entry && (await known.read(entry, maxFileBytes)) })
  }
  const identity = signatureOf(request)
  const who = change.author === '' ? 'somebody else' : change.author.replace(/ <.*/u, '')
  return buildCommit(mirror, {
    parent: head,
    message: `Restore hydrated files that ${who} changed\n\nChanged-in: ${change.commit || head}\n`,
    author: identity,
    committer: identity,
    changes,
    signal,
  })
}

/** A file in the place of a directory would take what others put into it away. */
async function assertFileCanBe(tree: CommitTree, path: string): Promise<void> {
  const parts = path.split('/')
  for (const [index] of parts.entries()) {
    const place = parts.slice(0, index + 1).join('/')
    const kind = (await tree.entry(place))?.kind
    const isFile = index === parts.length - 1
    if (kind === undefined || (kind === 'directory') !== isFile) continue
    throw new FailedPreconditionError(
      `the hydrated branch has a ${kind} at ${place} that Wadi did not write; remove it so that ${path} can be restored`,
    )
  }
}
