import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { objectId } from '@wadi/git/objects/object-id.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { CheckSignatureRequest } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { signerText } from '@wadi/signatures/signature-problem.ts'
import { readSignedObject } from '@wadi/signatures/signed-object.ts'
import type { RepoServerContext } from '../context.ts'

const maxCommitBytes = 256 * 1024

/** Says who signed a commit, by the known keys; nothing of the commit is kept but the verdict. */
export function checkSignature({ keys }: Pick<RepoServerContext, 'keys'>) {
  return async (
    { sha, commit, policies, keys: known }: CheckSignatureRequest,
    { signal }: HandlerContext,
  ) => {
    if (!isCommitSha(sha)) throw new InvalidInputError(`${JSON.stringify(sha)} is not a full commit id`)
    if (commit.length > maxCommitBytes) {
      throw new ResourceExhaustedError(`commit ${sha} has more than ${maxCommitBytes} bytes`)
    }
    const object = Buffer.from(commit)
    // Verdicts are kept by the id, also those by which sources are refused.
    if (objectId('commit', object, sha.length === 40 ? 'sha1' : 'sha256') !== sha) {
      throw new InvalidInputError(`the bytes of commit ${sha} have another id`)
    }
    const { gpgKeys = {}, allowedSigners = '', revokedKeys = '' } = known ?? {}
    const trusted = keys.open({ gpgKeys, allowedSigners, revokedKeys })
    const check = await trusted.check(readSignedObject('commit', sha, object), signal)
    return { signer: signerText(check, policies) }
  }
}
