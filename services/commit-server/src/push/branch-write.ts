import type { CheckedCommit, FileChange } from '@wadi/git/commit/build-commit.ts'
import type { CommitRef, Signature } from '@wadi/git/commit/fast-import.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { BranchState } from '../branch/branch-state.ts'

/** A push to one hydrated branch that a caller wants. It is planned again whenever the branch has another state. */
export interface BranchWrite<Outcome> {
  /** Short name of the branch. */
  readonly branch: string
  /** Short name of the branch that is deployed from; empty when that is the same. */
  readonly syncBranch: string
  /** Signs the commits and the note; undefined to sign nothing. */
  readonly signer: CommitSigner | undefined
  /** Returns true if the caller computed the write from this state of the branch; then the remote need not be asked again. */
  isFrom(state: BranchState): boolean
  /**
   * Decides what is to be pushed onto a state of the branch; undefined when nothing is.
   * @throws the error for the caller: ConflictError if another run moved the branch
   */
  plan(state: BranchState): Promise<PlannedPush | undefined>
  /** Is called when the branch was moved to a head, but its note was not: the next plan starts there. */
  landedWithoutNote(head: string): void
  /** Returns the result for the caller when the branch has this state and nothing is left to do. */
  outcome(state: BranchState): Outcome
}

/** The commits and the note that a branch gets. */
export interface PlannedPush {
  /** To be built; a parent that is a number is another one of them. */
  readonly commits: readonly CheckedCommit[]
  /** The new head, which may be the one that the branch has. */
  readonly head: CommitRef
  /** First commit of a sync branch that is to be created. */
  readonly newSyncHead: CommitRef | undefined
  /** The text of the note on the head. */
  readonly note: string
  /** The dry commit that the note names. */
  readonly drySha: string
  /** The author of the note. */
  readonly author: Signature
  /** Makes the files beside the note that attest the new head; undefined to attest nothing. */
  readonly attest?: ((head: string, signal: AbortSignal) => Promise<FileChange[]>) | undefined
}
