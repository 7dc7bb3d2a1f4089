import { ConflictError, FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { checkedCommit, type CheckedCommit } from '@wadi/git/commit/build-commit.ts'
import { openCommitTree, type CommitTree } from '@wadi/git/objects/commit-tree.ts'
import { commitGoneCode } from '@wadi/hydration/error-codes.ts'
import type { RestoreBranchRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { readHydratorMetadata } from '@wadi/hydration/hydrator-metadata.ts'
import type { BranchState } from '../branch/branch-state.ts'
import { heldDryRecord } from '@wadi/hydration/held-metadata.ts'
import { dryNoteText, readDryNote } from '../branch/dry-note.ts'
import { findForeignChange, openKnown } from '../branch/foreign-change.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { BranchWrite, PlannedPush } from '../push/branch-write.ts'
import type { RepositoryWriter, WrittenRepository } from '../push/repository-writer.ts'
import { signatureOf } from './commit-signature.ts'
import type { CommitSigning } from './commit-signing.ts'

const maxFileBytes = 64 * 1024 * 1024

/**
 * Puts back what Wadi had written to a branch: a deleted branch is created again at the head that Wadi left, a rewound one
 * moves forward to it, and any other gets a commit with those of Wadi's files that differ. Nothing is forced.
 * @throws ConflictError when the branch is not at the request's head any more, FailedPreconditionError when the head that
 * Wadi left cannot be had any more or something of somebody else stands where a file must be
 */
export async function restoreBranch(
  writer: RepositoryWriter,
  request: RestoreBranchRequest,
  signing: CommitSigning | undefined,
  signal: AbortSignal,
): Promise<BranchState> {
  return writer.write(new Restoration(writer, request, signing, signal), signal)
}

class Restoration implements BranchWrite<BranchState> {
  readonly syncBranch = ''
  readonly signer: CommitSigner | undefined
  readonly #attests: boolean
  readonly #repository: WrittenRepository
  readonly #request: RestoreBranchRequest
  readonly #signal: AbortSignal
  /** The head that the branch must be at. */
  #from: string

  constructor(
    repository: WrittenRepository,
    request: RestoreBranchRequest,
    signing: CommitSigning | undefined,
    signal: AbortSignal,
  ) {
    this.signer = signing?.signer
    this.#attests = signing?.attests ?? false
    this.#repository = repository
    this.#request = request
    this.#signal = signal
    this.#from = request.head
  }

  get branch(): string {
    return this.#request.branch
  }

  isFrom({ head = '' }: BranchState): boolean {
    return head === this.#from
  }

  async plan(state: BranchState): Promise<PlannedPush> {
    const { mirror, trees } = this.#repository
    const { branch, knownHead } = this.#request
    if (!this.isFrom(state)) {
      throw new ConflictError(`branch ${branch} moved while it was restored; it is read and compared again`)
    }
    const known = await openKnown(mirror, trees, knownHead, this.#signal)
    if (known === undefined) {
      throw new FailedPreconditionError(
        `branch ${branch} cannot be restored: commit ${knownHead}, which Wadi left it at, is gone from the repository`,
        { code: commitGoneCode },
      )
    }
    const forward = state.head === undefined || (await mirror.isAncestor(state.head, knownHead, this.#signal))
    const { onTop, ownHead = knownHead } = forward ? {} : await this.#commitOnTop(known, state)
    const held = await readDryNote(mirror, trees, state.notes, ownHead)
    const note = held?.text || dryNoteText(await heldDryRecord(known, ''))
    const { drySha } = readHydratorMetadata(note)
    const author = signatureOf(this.#request)
    const rest = { newSyncHead: undefined, note, drySha, author }
    if (onTop) return { commits: [onTop], head: 0, ...rest, attest: this.#attestation(note) }
    return { commits: [], head: forward ? knownHead : (state.head ?? ''), ...rest }
  }

  /** Attests a commit that puts files back as one that rendered none. */
  #attestation(note: string): PlannedPush['attest'] {
    const { signer } = this
    if (!signer || !this.#attests) return undefined
    const { repoUrl, branch } = this.#request
    const run = { repoUrl, branch, syncBranch: '', ...readHydratorMetadata(note) }
    return async (sha, signal) => {
      const { attestCommit } = await import('../attest/attest-commit.ts')
      const commit = { sha, directories: [] }
      return (await attestCommit(this.#repository, run, commit, signer, signal)).files
    }
  }

  landedWithoutNote(head: string): void {
    this.#from = head
  }

  outcome(state: BranchState): BranchState {
    return state
  }

  /** A commit with Wadi's files that differ on a head, if any does, and the newest of Wadi's commits below it since the known head. */
  async #commitOnTop(
    known: CommitTree,
    state: BranchState,
  ): Promise<{ onTop?: CheckedCommit; ownHead?: string }> {
    const { mirror, trees } = this.#repository
    const { head = '' } = state
    const { change, ...own } = await findForeignChange(mirror, trees, known.sha, state, this.#signal)
    if (change === undefined) return own
    const current = await openCommitTree(mirror.objects, trees, head)
    const changes = []
    await known.ready(change.paths)
    for (const path of change.paths) {
      const entry = await known.entry(path)
      await assertFileCanBe(current, path)
      changes.push({ path, content: entry && (await known.read(entry, maxFileBytes)) })
    }
    const identity = signatureOf(this.#request)
    const who = change.author === '' ? 'somebody else' : change.author.replace(/ <.*/u, '')
    const onTop = checkedCommit({
      parent: head,
      message: `Restore hydrated files that ${who} changed\n\nChanged-in: ${change.commit || head}\n`,
      author: identity,
      committer: identity,
      changes,
    })
    return { onTop, ...own }
  }
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
