import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { cutLine, cutText } from './cut-text.ts'
import { isStatusInComment, withStatus } from './fork-status.ts'
import type {
  CommitStatus,
  ForgeComment,
  KeptPullRequest,
  PullRequestForge,
  ReviewAnnotation,
} from './pull-request-forge.ts'

/** A review of a commit of a pull request. */
export interface Review {
  readonly headSha: string
  readonly status: CommitStatus | undefined
  readonly comment: { readonly marker: string; readonly body: string } | undefined
  readonly annotations: readonly ReviewAnnotation[]
}

/** The result of one part of a review. */
type Written = 'written' | 'unchanged'

/** The result of a review; parts that nobody wanted are undefined. */
export interface WrittenReview {
  readonly pullRequest: KeptPullRequest
  /** True if nothing was written, as the pull request is closed or has another head. */
  readonly isStale: boolean
  readonly status: Written | undefined
  readonly comment: Written | undefined
  readonly annotations: Written | 'unsupported' | undefined
  readonly commentUrl: string
}

/** Annotations of one review; forges take 50 or 100 at a time. */
const maxAnnotations = 100

/**
 * Writes a review to a pull request. Existing parts are found and left as they are, so repeating it changes nothing.
 * @throws InvalidInputError for a marker that cannot be hidden, and what the forge throws
 */
export async function putReview(
  forge: PullRequestForge,
  number: string,
  { headSha, status, comment, annotations }: Review,
): Promise<WrittenReview> {
  if (comment) checkMarker(comment.marker)
  const pullRequest = await forge.pullRequest(number)
  const isStale = pullRequest.state !== 'open' || pullRequest.headSha !== headSha
  const none = { status: undefined, comment: undefined, annotations: undefined, commentUrl: '' }
  if (isStale) return { ...none, pullRequest, isStale }
  if (status && isStatusInComment(forge, pullRequest)) {
    const text = {
      marker: status.context,
      ...comment,
      body: withStatus(forge, headSha, status, comment?.body ?? ''),
    }
    const { outcome, comment: written } = await putComment(forge, number, text)
    const annotated = annotations.length === 0 ? undefined : 'unsupported'
    const commentUrl = pageOf(written, pullRequest)
    return { pullRequest, isStale, status: outcome, comment: outcome, annotations: annotated, commentUrl }
  }
  // The comment comes first: a status that asks for attention leads to it.
  const written = comment && (await putComment(forge, number, comment))
  const context = status?.context ?? 'wadi/diff'
  const summary = status?.description ?? ''
  return {
    pullRequest,
    isStale,
    comment: written?.outcome,
    commentUrl: written ? pageOf(written.comment, pullRequest) : '',
    annotations:
      annotations.length === 0
        ? undefined
        : await forge.putAnnotations(
            { sha: headSha, context, summary },
            annotations.slice(0, maxAnnotations),
          ),
    status: status && (await putStatus(forge, pullRequest, status)),
  }
}

function pageOf({ url }: ForgeComment, pullRequest: KeptPullRequest): string {
  return URL.parse(url, pullRequest.url)?.href ?? ''
}

function checkMarker(marker: string): void {
  if (/^[a-z0-9._/:-]{1,200}$/.test(marker) && !marker.includes('--')) return
  throw new InvalidInputError(
    'the marker of a comment must consist of lower-case letters, digits, "-", ".", "_", "/" and ":", at most 200, without "--"',
  )
}

async function putStatus(
  forge: PullRequestForge,
  { headSha: sha, number }: KeptPullRequest,
  wanted: CommitStatus,
): Promise<Written> {
  const status = { ...wanted, description: cutLine(wanted.description, forge.limits.description) }
  const known = await forge.status(sha, status.context)
  const isSame =
    known?.state === status.state &&
    known.description === status.description &&
    known.targetUrl === status.targetUrl
  if (isSame) return 'unchanged'
  await forge.putStatus(sha, status, number)
  return 'written'
}

async function putComment(
  forge: PullRequestForge,
  number: string,
  { marker, body }: { marker: string; body: string },
): Promise<{ outcome: Written; comment: ForgeComment }> {
  const hidden = forge.hidden(marker)
  const text = `${hidden}\n${cutText(forge.shown(body).trim(), forge.limits.comment - hidden.length - 1)}`
  const comments = await forge.comments(number)
  for (const known of comments.filter((found) => found.body.startsWith(hidden))) {
    if (normalized(known.body) === normalized(text)) return { outcome: 'unchanged', comment: known }
    const comment = await changeOwnComment(forge, number, known.id, text)
    if (comment) return { outcome: 'written', comment }
  }
  return { outcome: 'written', comment: await forge.addComment(number, text) }
}

/** Anybody may write a comment with the marker; one that may not be changed is somebody else's. Bitbucket Data Center says 401 then. */
async function changeOwnComment(
  forge: PullRequestForge,
  number: string,
  id: string,
  text: string,
): Promise<ForgeComment | undefined> {
  try {
    return await forge.changeComment(number, id, text)
  } catch (error) {
    if (error instanceof DomainError && ['http-401', 'http-403', 'http-404'].includes(error.code ?? ''))
      return undefined
    throw error
  }
}

/** Forges change the ends of lines. */
function normalized(text: string): string {
  return text.replaceAll('\r\n', '\n').trim()
}
