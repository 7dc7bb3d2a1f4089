import { ConflictError } from '@wadi/errors/domain-error.ts'
import { checkedCommit, type CheckedCommit } from '@wadi/git/commit/build-commit.ts'
import type { CommitRef } from '@wadi/git/commit/fast-import.ts'
import { openCommitTree } from '@wadi/git/objects/commit-tree.ts'
import type { BranchState } from '../branch/branch-state.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { dryNoteText, noteId } from '../branch/dry-note.ts'
import type { CommitManifests } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { BranchWrite, PlannedPush } from '../push/branch-write.ts'
import type { RepositoryWriter, WrittenRepository } from '../push/repository-writer.ts'
import type { CommitRequest } from './commit-request.ts'
import { signatureOf } from './commit-signature.ts'
import type { CommitSigning } from './commit-signing.ts'
import { type CommitProof, ProofOfCommit } from './proof-of-commit.ts'
import { withTrailers } from './tool-changes.ts'
import { planChanges, type PlannedChanges } from './plan-changes.ts'

/** The state of the branch after a commit. */
export interface CommitOutcome {
  hydratedSha: string
  changedPaths: string[]
  /** True if a foreign commit came in between and this one was built again on top of it. */
  rebuilt: boolean
  state: BranchState
  /** The proof of the head; undefined if this neither signed nor attested it. */
  proof: CommitProof | undefined
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
  writer: RepositoryWriter,
  request: CommitRequest,
  signing: CommitSigning | undefined,
  signal: AbortSignal,
): Promise<CommitOutcome> {
  return writer.write(new ManifestWrite(writer, request, signing), signal)
}

class ManifestWrite implements BranchWrite<CommitOutcome> {
  readonly signer: CommitSigner | undefined
  readonly #attests: boolean
  readonly #repository: WrittenRepository
  readonly #request: CommitRequest
  readonly #expected: ExpectedPosition
  readonly #changedPaths = new Set<string>()
  readonly #proof = new ProofOfCommit()
  /** A commit of this write that landed without its note. */
  #landed: string | undefined
  #rebuilt = false

  constructor(repository: WrittenRepository, request: CommitRequest, signing: CommitSigning | undefined) {
    this.signer = signing?.signer
    this.#attests = signing?.attests ?? false
    this.#repository = repository
    this.#request = request
    this.#expected = positionOf(request.header)
  }

  get branch(): string {
    return this.#request.header.targetBranch
  }

  get syncBranch(): string {
    return this.#request.header.syncBranch
  }

  isFrom(state: BranchState): boolean {
    return state.head === this.#expected.head && isAt(state, this.#expected)
  }

  async plan(state: BranchState): Promise<PlannedPush | undefined> {
    const { mirror, trees } = this.#repository
    if (state.head !== this.#expected.head) {
      await assertMovedByForeigner(this.#repository, this.#expected.head, state, this.branch)
      this.#rebuilt = true
      const { head, drySha } = state
      Object.assign(this.#expected, { head, drySha, noteId: noteId(state.note) })
    } else if (!isAt(state, this.#expected)) {
      throw movedByOtherRun(this.branch)
    }
    const base = state.head ?? state.syncHead
    const tree = base === undefined ? undefined : await openCommitTree(mirror.objects, trees, base)
    const changes = await planChanges(tree, this.#request)
    for (const path of changes.changedPaths) this.#changedPaths.add(path)
    const { header } = this.#request
    const { dryCommits, installation } = header
    const note = dryNoteText({ drySha: this.#drySha, dryCommits }, installation)
    const planned = planCommits(header, state, changes)
    this.#proof.planned(typeof planned.head === 'number' || planned.head === this.#landed)
    const isNoted = state.note === note && state.noteProblem === undefined
    const attest = await this.#attestation(planned.head, state)
    if (planned.head === state.head && isNoted && attest === undefined) return undefined
    return { ...planned, note, drySha: this.#drySha, author: signatureOf(header), attest }
  }

  /** Attests a new head, one without an attestation of which something was rendered, and new checks of one that has an attestation. */
  async #attestation(head: CommitRef, { head: held, notes }: BranchState): Promise<PlannedPush['attest']> {
    const { signer } = this
    if (!signer || !this.#attests) return undefined
    const { header, directories } = this.#request
    if (head === held && directories.length === 0) return undefined
    const { attestCommit, attestationsOf } = await import('../attest/attest-commit.ts')
    const attestations = head === held ? await attestationsOf(this.#repository, notes, held) : ''
    if (held !== undefined && attestations !== '') {
      const { attestChecks } = await import('../attest/attest-checks.ts')
      const commit = { sha: held, directories, held: attestations }
      const attest = await attestChecks(this.#repository, this.branch, commit, signer)
      return attest && (async (_head, signal) => this.#proof.attested(await attest(signal)))
    }
    const run = { ...header, branch: header.targetBranch }
    return async (sha, signal) =>
      this.#proof.attested(await attestCommit(this.#repository, run, { sha, directories }, signer, signal))
  }

  landedWithoutNote(head: string): void {
    if (this.#proof.isSigned) this.#landed = head
    Object.assign(this.#expected, { head, drySha: this.#drySha, noteId: '' })
  }

  outcome(state: BranchState): CommitOutcome {
    const { head: hydratedSha = '' } = state
    const proof = this.#proof.with(this.signer)
    return { hydratedSha, changedPaths: [...this.#changedPaths], rebuilt: this.#rebuilt, state, proof }
  }

  get #drySha(): string {
    const { newestDrySha, drySha } = this.#request.header
    return newestDrySha || drySha
  }
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

/** Returns true if the dry side of a branch is as a run found it; on a branch that several sources feed the note lists all. */
function isAt(state: BranchState, expected: ExpectedPosition): boolean {
  if (state.drySha !== expected.drySha) return false
  return expected.noteId === '' || noteId(state.note) === expected.noteId
}

/** The commits that the changes need; without any change the head stays, and a missing branch starts at the sync branch. */
function planCommits(
  header: CommitManifests,
  state: BranchState,
  { files, trailers }: PlannedChanges,
): Pick<PlannedPush, 'commits' | 'head' | 'newSyncHead'> {
  const commits: CheckedCommit[] = []
  const add = (commit: Parameters<typeof checkedCommit>[0]): number => commits.push(checkedCommit(commit)) - 1
  const identity = signatureOf(header)
  const isSyncMissing = state.head === undefined && header.syncBranch !== '' && state.syncHead === undefined
  const newSyncHead = isSyncMissing
    ? add({
        message: `Initial commit for ${header.syncBranch}\n`,
        author: identity,
        committer: identity,
        changes: [],
      })
    : undefined
  const parent = state.head ?? state.syncHead ?? newSyncHead
  if (files.length === 0 && parent !== undefined) return { commits, head: parent, newSyncHead }
  const head = add({
    parent,
    message: withTrailers(
      header.message || `${header.drySha.slice(0, 7)}: ${header.commitMessage}\n`,
      trailers,
    ),
    author: { ...identity, date: header.authorTime ? new Date(header.authorTime) : identity.date },
    committer: identity,
    changes: files,
  })
  return { commits, head, newSyncHead }
}

/** Every run that changes a branch rewrites its root metadata, so an unchanged one means that others moved the head. */
async function assertMovedByForeigner(
  { mirror, trees }: WrittenRepository,
  from: string | undefined,
  state: BranchState,
  branch: string,
): Promise<void> {
  const record = async (sha: string | undefined) =>
    sha === undefined
      ? ''
      : dryNoteText(await heldDryRecord(await openCommitTree(mirror.objects, trees, sha), ''))
  if (state.note !== '' || (await record(from)) !== (await record(state.head))) throw movedByOtherRun(branch)
}

function movedByOtherRun(branch: string): ConflictError {
  return new ConflictError(`branch ${branch} was moved by another run; it is read and compared again`)
}
