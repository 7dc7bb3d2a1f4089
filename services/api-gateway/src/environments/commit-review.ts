import { DomainError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { GetCommitStatusResponse } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { reviewName } from '@wadi/resources/project/review-setting.ts'
import type { GatewayContext } from '../context.ts'
import { keepAnswers } from './kept-answers.ts'

/** A forge limits its questions, and pages that follow the server ask again and again. */
const keptMs = 60_000
const maxKept = 500

/** People wait for the answer; a forge that hangs must not keep the rest from them. */
const maxAskMs = 5_000

/** Commits that are asked for: a merge of many is nobody's pull request. */
const maxCommits = 3

/** A commit of a dry repository as one project reaches it, with its parents. */
interface ReviewedCommit {
  readonly repoUrl: string
  readonly project: string
  readonly sha: string
  readonly parents: readonly string[]
}

/** Reads the review of the changes of a commit: its own, or that of a commit that it merged. */
export type ReadReview = (commit: ReviewedCommit, signal: AbortSignal) => Promise<CommitReview>

/** The fields of the message `DryCommit` about the review. */
interface CommitReview {
  review?: { sha: string; state: string; description: string; targetUrl: string }
  reviewError?: string
}

/** Opens the reading of reviews, which keeps what a forge said for a minute. */
export function openReviews({ forges }: Pick<GatewayContext, 'forges'>): ReadReview {
  const kept = keepAnswers<GetCommitStatusResponse>(maxKept, keptMs)
  return async ({ repoUrl, project, sha, parents: [, ...merged] }, signal) => {
    try {
      for (const each of [sha, ...merged].slice(0, maxCommits)) {
        const request = { repoUrl, project, sha: each, context: reviewName }
        const { status } = await kept.ask(JSON.stringify(request), () =>
          forges.getCommitStatus(request, { timeoutMs: maxAskMs }),
        )
        if (!status) continue
        const { state, description, targetUrl } = status
        return { review: { sha: each, state, description, targetUrl } }
      }
      return {}
    } catch (error) {
      signal.throwIfAborted()
      const isUnknown = error instanceof DomainError && error.code === 'no-forge'
      return isUnknown ? {} : { reviewError: errorMessage(error) }
    }
  }
}
