import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { reviewedStatus } from '@wadi/forges/pull-requests/fork-status.ts'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { GetCommitStatusRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { useForge } from '../forges/use-forge.ts'

/** Returns the newest status of a commit. */
export function getCommitStatus(context: CommitServerContext) {
  return async (request: GetCommitStatusRequest, { signal }: HandlerContext) => {
    const { sha, context: name, forkNumber } = request
    if (!isCommitSha(sha)) throw new InvalidInputError(`sha ${JSON.stringify(sha)} is not the id of a commit`)
    const { forge } = await useForge(context, request, signal)
    const status = await reviewedStatus(forge, { sha, context: name, forkNumber })
    return status === undefined ? {} : { status }
  }
}
