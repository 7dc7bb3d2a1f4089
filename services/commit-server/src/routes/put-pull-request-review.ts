import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { putReview } from '@wadi/forges/pull-requests/put-review.ts'
import type { CommitStatus, ReviewAnnotation } from '@wadi/forges/pull-requests/pull-request-forge.ts'
import type {
  Annotation as AnnotationMessage,
  CommitStatus as StatusMessage,
  PutPullRequestReviewRequest,
} from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import type { CommitServerContext } from '../context.ts'
import { chosenValue } from '../forges/chosen-value.ts'
import { pullRequestAnswer } from '../forges/pull-request-answer.ts'
import { useForge } from '../forges/use-forge.ts'

/** Writes a commit status, a comment and annotations to a pull request, unless they are there. */
export function putPullRequestReview(context: CommitServerContext) {
  return async (request: PutPullRequestReviewRequest, { signal }: HandlerContext) => {
    const { headSha, comment } = request
    const status = request.status && readStatus(request.status)
    const annotations = request.annotations.map(readAnnotation)
    const { forge, stored } = await useForge(context, request, signal)
    const review = { headSha, status, comment, annotations }
    const written = await context.forgeFailures.during(stored, comment ? 'comment' : 'status', () =>
      putReview(forge, request.number, review),
    )
    return {
      isStale: written.isStale,
      status: written.status ?? '',
      comment: written.comment ?? '',
      annotations: written.annotations ?? '',
      commentUrl: written.commentUrl,
      pullRequest: pullRequestAnswer(written.pullRequest),
    }
  }
}

function readStatus({ context, state, description, targetUrl }: StatusMessage): CommitStatus {
  if (!/^wadi\/[\w./-]{1,100}$/.test(context)) {
    throw new InvalidInputError(`status.context ${JSON.stringify(context)} must begin with wadi/`)
  }
  if (targetUrl !== '' && !/^https?:$/.test(URL.parse(targetUrl)?.protocol ?? '')) {
    throw new InvalidInputError('status.target_url must begin with https:// or http://')
  }
  const states = ['pending', 'success', 'failure', 'error'] as const
  return { context, state: chosenValue('status.state', state, states), description, targetUrl }
}

function readAnnotation({ path, line, level, title, message }: AnnotationMessage): ReviewAnnotation {
  const levels = ['error', 'warning', 'notice'] as const
  return { path, line, level: chosenValue('annotations.level', level, levels), title, message }
}
