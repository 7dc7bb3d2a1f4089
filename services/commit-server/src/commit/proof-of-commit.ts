import type { MessageInitShape } from '@bufbuild/protobuf'
import type { FileChange } from '@wadi/git/commit/build-commit.ts'
import type { CommitProofSchema } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { Attested } from '../attest/attest-commit.ts'
import { gatesOf } from '../attest/gate-results.ts'

/** The facts about the signature and the attestation of a commit, without a message's own. */
export type CommitProof = Extract<MessageInitShape<typeof CommitProofSchema>, { $typeName?: never }>

/** Gathers what a write proves of the head that it leaves. Each signature is verified as it is made. */
export class ProofOfCommit {
  #isSigned = false
  #attested: Attested | undefined

  /** True if the write made the head. */
  get isSigned(): boolean {
    return this.#isSigned
  }

  /** Begins again: the write was planned onto another state. */
  planned(isSigned: boolean): void {
    this.#isSigned = isSigned
    this.#attested = undefined
  }

  /** Keeps what was attested, and returns its files. */
  attested(attested: Attested): FileChange[] {
    this.#attested = attested
    return attested.files
  }

  /** Returns the proof; undefined if nothing was signed. */
  with(signer: CommitSigner | undefined): CommitProof | undefined {
    if (!signer || !(this.isSigned || this.#attested)) return undefined
    const { fingerprint, owner } = signer.key
    return {
      ...(this.isSigned && { fingerprint, owner }),
      attested: this.#attested !== undefined,
      ...gatesOf(this.#attested?.results ?? []),
      verifiedAt: new Date().toISOString(),
    }
  }
}
