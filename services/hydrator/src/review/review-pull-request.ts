import type { Client } from '@connectrpc/connect'
import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { reviewName } from '@wadi/resources/project/review-setting.ts'
import { compare, type Compared } from '../compare/compare.ts'
import { nothingFollows } from '../compare/resolve-comparison.ts'
import type { RunContext } from '../run/run-context.ts'
import type { ReviewOutcome } from './review-events.ts'
import { type ReviewedPullRequest, reviewReport, reviewStatus, type ReviewText } from './review-report.ts'

/** The context of reviews. */
export interface ReviewContext extends RunContext {
  readonly forges: Client<typeof ForgeService>
}

/** The answers of forges that reject a text. */
const rejections: readonly string[] = ['http-400', 'http-413', 'http-422']

/** The answers of forges to an account that may set statuses but not write comments. */
const refusals: readonly string[] = ['http-401', 'http-403', 'http-404']

/** Ends a comparison whose pull request is closed or has another head. */
class StaleError extends Error {}

/** Ends a review because of its forge, which cannot be said there; the cause is what the forge throws. */
class ForgeError extends Error {}

/**
 * Compares the head of a pull request with the commit at which it left its base, and says what changes: first that this is under way,
 * then the result. The commit status of a head, which nobody sets who may not push, is the memory of what is done, also of another
 * process.
 * @throws the error of the forge or the repositories if the review cannot be reported now
 */
export async function reviewPullRequest(
  context: ReviewContext,
  review: ReviewedPullRequest,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  if (await isReviewed(context, review, signal)) return 'known'
  try {
    return await reviewHead(context, review, signal)
  } catch (error) {
    throw error instanceof ForgeError ? error.cause : error
  }
}

async function reviewHead(
  context: ReviewContext,
  review: ReviewedPullRequest,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  try {
    const text = reviewReport(review, await compareHead(context, review, signal))
    await say(context, review, text, signal)
    return text.status?.state === 'failure' ? 'failure' : 'success'
  } catch (error) {
    if (error instanceof StaleError) return 'stale'
    if (error instanceof ForgeError || signal.aborted) throw error
    const isKnown = error instanceof DomainError
    if (isKnown && error.code === nothingFollows) return 'elsewhere'
    if (isKnown && error.retryable) throw error
    const reason = isKnown ? error.message : 'an internal error, which the log of the hydrator has'
    const status = reviewStatus(review, 'error', `the head cannot be compared: ${reason}`)
    const isShown = await isWritten(context, review, status, signal)
    if (!isKnown) throw error
    return isShown ? 'error' : 'stale'
  }
}

async function isReviewed(
  { forges }: ReviewContext,
  { repository: { repoUrl, project }, pull }: ReviewedPullRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const { headSha: sha, isFork, number } = pull
  const asked = { repoUrl, project, sha, context: reviewName, forkNumber: isFork ? number : '' }
  const { status } = await forges.getCommitStatus(asked, { signal })
  return status?.state === 'success' || status?.state === 'failure'
}

async function compareHead(
  context: ReviewContext,
  review: ReviewedPullRequest,
  signal: AbortSignal,
): Promise<Compared> {
  const { repository, pull } = review
  const pending = reviewStatus(review, 'pending', 'comparing what it changes on hydrated branches')
  const revision = {
    repoUrl: repository.repoUrl,
    revision: pull.headSha,
    base: pull.baseBranch,
    target: pull.baseBranch,
    applications: [...repository.applications.keys()].map(nameParts),
    isFromFork: pull.isFork,
    ...(pull.headUrl !== '' && { fork: { url: pull.headUrl, branch: pull.headBranch } }),
    onResolved: async () => {
      if (!(await isWritten(context, review, pending, signal))) throw new StaleError()
    },
  }
  return compare(context, revision, { phase: 'resolve', done: 0, total: 0 }, signal)
}

/** Writes the result. A forge that rejects it as it is, or lets Wadi not comment, gets the status alone: a required check must not wait for the comment. */
async function say(
  context: ReviewContext,
  review: ReviewedPullRequest,
  text: ReviewText,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (!(await isWritten(context, review, text, signal))) throw new StaleError()
  } catch (error) {
    const cause = error instanceof ForgeError ? error.cause : undefined
    const code = cause instanceof DomainError ? (cause.code ?? '') : ''
    if (!rejections.includes(code) && !refusals.includes(code)) throw error
    const { status } = text
    const description = `${status?.description ?? ''}; the forge refuses the comment`
    const alone = refusals.includes(code) && status ? { ...status, description } : status
    if (!(await isWritten(context, review, { status: alone }, signal))) throw new StaleError()
    if (refusals.includes(code)) {
      context.events.reviewFailed(review.repository.repoUrl, review.pull.number, cause)
    }
  }
}

/**
 * Writes to the pull request; false when it is closed or has another head.
 * @throws ForgeError
 */
async function isWritten(
  { forges }: ReviewContext,
  { repository: { repoUrl, project }, pull }: ReviewedPullRequest,
  text: ReviewText,
  signal: AbortSignal,
): Promise<boolean> {
  const { number, headSha } = pull
  try {
    const request = { repoUrl, project, number, headSha, ...text }
    const { isStale } = await forges.putPullRequestReview(request, { signal })
    return !isStale
  } catch (cause) {
    throw new ForgeError('the review was not written', { cause })
  }
}

function nameParts(qualified: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = qualified.split('/')
  return { namespace, name }
}
