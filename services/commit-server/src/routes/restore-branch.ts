import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { assertBranchName, isCommitSha } from '@wadi/git/mirror/revision.ts'
import type { RestoreBranchRequest } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { positionOf } from '../branch/branch-position.ts'
import { signingOf } from '../commit/commit-signing.ts'
import { restoreBranch as restore } from '../commit/restore-branch.ts'
import type { CommitServerContext } from '../context.ts'
import { useDestination } from '../write-credentials.ts'

/** Puts back what Wadi had written to a branch. */
export function restoreBranch(context: CommitServerContext) {
  return async (request: RestoreBranchRequest, { signal }: HandlerContext) => {
    const { branch, knownHead, head } = request
    assertBranchName(branch)
    for (const sha of [knownHead, ...(head === '' ? [] : [head])]) {
      if (!isCommitSha(sha)) throw new InvalidInputError(`${JSON.stringify(sha)} is not a full commit id`)
    }
    const { writers, events } = context
    const signing = signingOf(context, request.project, request.repoUrl)
    const state = await useDestination(context, request, (mirror) =>
      restore(writers.of(mirror), request, signing, signal),
    )
    events.restored(branch, state.head ?? '')
    return { position: positionOf(state) }
  }
}
