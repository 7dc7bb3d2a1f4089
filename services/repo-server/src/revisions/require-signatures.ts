import { FailedPreconditionError, InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RemoteRefs } from '@wadi/git/mirror/remote-refs.ts'
import { mirrorRef } from '@wadi/git/mirror/mirror-ref.ts'
import { resolveRevision } from '@wadi/git/mirror/resolve-revision.ts'
import type { RemoteRefsCache } from '@wadi/repositories/remote-refs.ts'
import type {
  SignaturePolicy,
  SourceVerification,
} from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { KeyPool } from '@wadi/signatures/key-pool.ts'
import { problemsText } from '@wadi/signatures/signature-problem.ts'
import { type Revision, verifyRevision } from '@wadi/signatures/verify-revision.ts'

/** A commit that does not have the signatures that a project asks for. */
export class UnverifiedCommitError extends FailedPreconditionError {}

const tagRef = 'refs/tags/'

/**
 * Makes sure that a commit has the signatures that every project asks for which uses it.
 * @throws UnverifiedCommitError that names commit or tag, key and what to do; InvalidInputError for a request that does
 *   not say what is asked for; FailedPreconditionError when gpg or ssh-keygen is needed and not installed
 */
export async function requireSignatures(
  { keys, remoteRefs }: { keys: KeyPool; remoteRefs: Pick<RemoteRefsCache, 'read'> },
  mirror: Mirror,
  { sha, verification }: { sha: string; verification?: SourceVerification | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (!verification)
    throw new InvalidInputError('verification is required: it says whose signatures are needed')
  const { policies, revision } = verification
  if (policies.length === 0) return
  const tag = await annotatedTag(mirror, sha, revision, () => remoteRefs.read(mirror, { fresh: false }))
  const { gpgKeys = {}, allowedSigners = '', revokedKeys = '' } = verification.keys ?? {}
  const trusted = keys.open({ gpgKeys, allowedSigners, revokedKeys })
  for (const policy of policies) {
    if (policy.error !== '') throw unverified(policy, policy.error)
    const { gpgKeys: permittedKeys, sshSigners } = policy
    const permitted = { gpgKeys: permittedKeys, sshSigners }
    const options = { mode: modeOf(policy), permitted, keys: trusted }
    const problems = await verifyRevision({ mirror, sha, tag }, options, signal)
    if (problems.length > 0) throw unverified(policy, problemsText(problems))
  }
}

function modeOf({ mode }: SignaturePolicy): 'head' | 'strict' {
  if (mode === 'head' || mode === 'strict') return mode
  throw new InvalidInputError(`mode must be head or strict, not ${JSON.stringify(mode)}`)
}

function unverified({ project, mode }: SignaturePolicy, reason: string): UnverifiedCommitError {
  const which = mode === 'strict' ? 'signed history' : 'signed commits'
  return new UnverifiedCommitError(`project ${project} accepts ${which} only: ${reason}`)
}

/**
 * The annotated tag that a revision names, if it still is about the commit; then the tag's signature is checked. A tag that
 * points elsewhere by now leaves the commit to be verified by its own signature.
 */
async function annotatedTag(
  mirror: Mirror,
  sha: string,
  revision: string,
  remote: () => Promise<RemoteRefs>,
): Promise<Revision['tag']> {
  if (revision === '' || revision === sha) return undefined
  const { refs, head } = await remote()
  const resolved = resolveRevision(revision, refs, head)
  if (!resolved || !('ref' in resolved) || !resolved.ref?.startsWith(tagRef)) return undefined
  const { ref } = resolved
  const object = refs.get(ref)
  if (object === undefined || refs.get(`${ref}^{}`) !== sha) return undefined
  if (!(await mirror.hasObject(object))) await mirror.fetch([`+${ref}:${mirrorRef(ref)}`])
  if ((await mirror.objects.resolve(`${object}^{commit}`)) !== sha) {
    throw new NotFoundError(`${ref} moved while it was read; it is read again with the next run`)
  }
  return { name: ref.slice(tagRef.length), sha: object }
}
