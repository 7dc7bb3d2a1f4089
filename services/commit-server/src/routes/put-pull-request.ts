import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  putPullRequest as keepPullRequest,
  type WantedPullRequest,
} from '@wadi/forges/pull-requests/put-pull-request.ts'
import { assertBranchName } from '@wadi/git/mirror/revision.ts'
import type {
  MergePolicy,
  PutPullRequestRequest,
} from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { chosenValue } from '../forges/chosen-value.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'
import { fastForward } from '../push/fast-forward.ts'
import { useDestination } from '../write-credentials.ts'

const methods = ['merge', 'squash', 'rebase', 'fast-forward'] as const

/** Opens, updates or merges the pull request between two branches. */
export function putPullRequest(context: CommitServerContext) {
  return async (request: PutPullRequestRequest, { signal }: HandlerContext) => {
    const { headBranch: head, baseBranch: base, title, body, labels, reviewers, merge } = request
    for (const branch of [head, base]) assertBranchName(branch)
    if (head === base) throw new InvalidInputError(`a pull request from ${head} to itself is not possible`)
    const wanted = merge && mergeOf(context, request, merge, signal)
    const { forge } = await useForge(context, request, signal)
    const kept = await keepPullRequest(forge, { head, base, title, body, labels, reviewers, merge: wanted })
    if (!kept) return {}
    if (kept.outcome !== 'unchanged') context.events.pullRequestWritten(head, kept.outcome, kept.pullRequest)
    return {
      pullRequest: pullRequestAnswer(kept.pullRequest),
      outcome: kept.outcome,
      waitingFor: kept.waitingFor,
      warnings: [...kept.warnings],
    }
  }
}

function mergeOf(
  context: CommitServerContext,
  request: PutPullRequestRequest,
  { method: named, headSha }: MergePolicy,
  signal: AbortSignal,
): WantedPullRequest['merge'] {
  const method = chosenValue('merge.method', named || 'merge', methods)
  if (method !== 'fast-forward') return { method, headSha }
  const { headBranch: head, baseBranch: base } = request
  const land = async (): Promise<void> =>
    useDestination(context, request, (mirror) => fastForward(mirror, { head, base, headSha }, signal))
  return { headSha, land }
}
