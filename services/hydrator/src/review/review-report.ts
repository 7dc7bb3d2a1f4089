import type { MessageInitShape } from '@bufbuild/protobuf'
import { shownChanges } from '@wadi/changes/applications/shown-changes.ts'
import { markdownReport } from '@wadi/changes/report/markdown-report.ts'
import { counted, objectCounts, qualifiedName } from '@wadi/changes/report/report.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { ApplicationChanges, ChangesSummary } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type {
  AnnotationSchema,
  PullRequest,
  PutPullRequestReviewRequestSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { reviewAnnotation, reviewName } from '@wadi/resources/project/review-setting.ts'
import type { Compared } from '../compare/compare.ts'
import type { ReviewedRepository } from './reviewed-repositories.ts'

/** The status, comment and annotations of a review. */
export type ReviewText = Pick<
  MessageInitShape<typeof PutPullRequestReviewRequestSchema>,
  'status' | 'comment' | 'annotations'
>

/** A pull request as its forge lists it, and what one comment there may have. */
export interface ReviewedPullRequest {
  readonly repository: ReviewedRepository
  readonly pull: Pick<PullRequest, 'number' | 'headSha' | 'headBranch' | 'headUrl' | 'baseBranch' | 'isFork'>
  /** True if the forge shows the repository only to its members. */
  readonly isPrivate: boolean
  /** Characters; 0 when the forge has no limit. */
  readonly maxCommentLength: number
}

/** The most annotations; the comment has all errors. */
const maxAnnotations = 100

/** A forge may count bytes, of which a character of text has up to three. */
const longestComment = 200_000
/** The marker of the comment, and what forges add. */
const ownLength = 500

/** Writes what a comparison says about a pull request: of Applications whose project shows counts alone, nothing else. */
export function reviewReport(review: ReviewedPullRequest, { summary, applications }: Compared): ReviewText {
  const { repository, pull, maxCommentLength, isPrivate } = review
  const isShown = ({ namespace, name }: { namespace: string; name: string }): boolean => {
    const setting = repository.applications.get(`${namespace}/${name}`)
    return setting === 'diffs' || (setting === 'diffs-if-private' && isPrivate)
  }
  const shown = shownChanges(applications, isShown)
  const report = {
    summary,
    applications: shown,
    before: `${pull.baseBranch} (${summary.baseSha.slice(0, 7)})`,
    after: `pull request ${pull.number} (${summary.revisionSha.slice(0, 7)})`,
  }
  const limit = Math.min(maxCommentLength || longestComment, longestComment)
  const options = {
    maxLength: limit - ownLength,
    notes: notesOf(review, applications.length - shown.length),
    whole: wholeReport(review),
  }
  return {
    status: { ...statusOf(applications, summary), targetUrl: impactUrl(review) },
    comment: { marker: reviewName, body: `${markdownReport(report, options)}${consoleLink(review)}` },
    annotations: annotationsOf(shown),
  }
}

/** A commit status alone. */
export function reviewStatus(
  review: ReviewedPullRequest,
  state: 'pending' | 'error',
  description: string,
): ReviewText {
  return { status: { context: reviewName, state, description, targetUrl: impactUrl(review) } }
}

/** One line; what could not be hydrated before either is not the fault of the pull request. */
function statusOf(applications: readonly ApplicationChanges[], summary: ChangesSummary) {
  const broken = applications.filter(({ outcome, failedBefore }) => outcome === 'failed' && !failedBefore)
  const warnings = summary.warnings > 0 ? `, ${counted(summary.warnings, 'warning')}` : ''
  const of = `of ${counted(summary.applications, 'application')}`
  if (broken.length > 0) {
    const description = `${broken.length} ${of} cannot be hydrated any more${warnings}`
    return { context: reviewName, state: 'failure', description }
  }
  const changing = summary.changed + summary.added + summary.removed
  const before = summary.failed > 0 ? `, ${summary.failed} failed before` : ''
  const changes =
    changing === 0
      ? `no change of ${counted(summary.applications, 'application')}`
      : `${changing} ${of} ${changing === 1 ? 'changes' : 'change'} on ${counted(summary.branches, 'branch', 'branches')}; objects: ${objectCounts(summary)}`
  return { context: reviewName, state: 'success', description: `${changes}${before}${warnings}` }
}

function notesOf({ repository, pull }: ReviewedPullRequest, hidden: number): string[] {
  const notes: string[] = []
  if (pull.isFork)
    notes.push('The pull request is from a fork, so no plugin, action or ytt was run for what it changes')
  if (hidden > 0) {
    notes.push(
      `Counted alone: ${counted(hidden, 'application')} whose project shows no more here (\`${reviewAnnotation}\`)`,
    )
  }
  if (repository.left > 0)
    notes.push(
      `Not compared: ${counted(repository.left, 'more application')} that ${repository.left === 1 ? 'is' : 'are'} not reviewed`,
    )
  return notes
}

function wholeReport(review: ReviewedPullRequest): string {
  const { repository, pull } = review
  const url = redactUrl(repository.repoUrl)
  const command = `wadi diff --repo ${url} --revision ${pull.headSha} --base ${pull.baseBranch}`
  const link = impactUrl(review)
  const shell = /^[\w./:@~-]+$/.test(`${url}${pull.baseBranch}`) ? `\`${command}\`` : '`wadi diff`'
  return link === '' ? `All of it: ${shell}` : `All of it is in [the console](${link}), or from ${shell}`
}

function consoleLink(review: ReviewedPullRequest): string {
  const link = impactUrl(review)
  return link === '' ? '' : `\n[Open in the console](${link})\n`
}

function impactUrl({ repository, pull }: ReviewedPullRequest): string {
  const { consoleUrl, repoUrl } = repository
  if (consoleUrl === '') return ''
  // Parentheses would end a link of Markdown.
  const encoded = (text: string): string =>
    encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29')
  return `${consoleUrl}/impact?repository=${encoded(redactUrl(repoUrl))}&revision=${pull.headSha}`
}

function annotationsOf(
  applications: readonly ApplicationChanges[],
): MessageInitShape<typeof AnnotationSchema>[] {
  const annotations = applications.flatMap((application) =>
    application.errors.flatMap((error, index) => {
      const { file = '', line = 0 } = application.errorPlaces[index] ?? {}
      if (file === '') return []
      const title = shortened(`${qualifiedName(application)} cannot be hydrated`, 200)
      return [{ path: file, line, level: 'error', title, message: shortened(error) }]
    }),
  )
  return annotations.slice(0, maxAnnotations)
}
