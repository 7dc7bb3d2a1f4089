import type { CommitSigner } from '@wadi/signatures/signing/commit-signer.ts'
import type { CommitServerContext } from '../context.ts'

/** The way in which a commit is signed. */
export interface CommitSigning {
  /** Signs the commits and the note. */
  readonly signer: CommitSigner
  /** True if it signs an attestation of each commit, too. */
  readonly attests: boolean
}

/**
 * Returns how the commits of a project in a repository are signed; undefined if they are not.
 * @throws UnavailableError if no key is for them
 */
export function signingOf(
  { signing, attests }: Pick<CommitServerContext, 'signing' | 'attests'>,
  project: string,
  repoUrl: string,
): CommitSigning | undefined {
  return signing && { signer: signing.signerOf(project, repoUrl), attests }
}
