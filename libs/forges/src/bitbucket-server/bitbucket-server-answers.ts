import { isTrueAt, longTextAt, optionalTextAt, textAt, valueAt } from '../forge-values.ts'
import type { CommitStatus, ForgeComment, KeptPullRequest } from '../pull-requests/pull-request-forge.ts'

const words = {
  pending: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  error: 'UNKNOWN',
} as const

/** The longest address of a status. */
const maxUrl = 450

/** Reads a pull request. */
export function serverPullRequest(item: unknown): KeptPullRequest {
  const state = textAt(item, 'state')
  return {
    number: textAt(item, 'id'),
    title: textAt(item, 'title'),
    body: longTextAt(item, 'description'),
    url: pageOf(item),
    headSha: optionalTextAt(item, 'fromRef.latestCommit') ?? '',
    headBranch: textAt(item, 'fromRef.id').replace(/^refs\/heads\//, ''),
    headRepository: repositoryPath(valueAt(item, 'fromRef.repository')),
    baseBranch: textAt(item, 'toRef.id').replace(/^refs\/heads\//, ''),
    isFork: textAt(item, 'fromRef.repository.id') !== textAt(item, 'toRef.repository.id'),
    author: optionalTextAt(item, 'author.user.name') ?? '',
    isDraft: isTrueAt(item, 'draft'),
    updatedAt: timeAt(item, 'updatedDate'),
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    labels: [],
  }
}

/** The page for people of a pull request or repository; empty when there is none. */
export function pageOf(item: unknown): string {
  const [first] = Object.values(Object(valueAt(item, 'links.self') ?? {}) as Record<string, unknown>)
  return optionalTextAt(first, 'href') ?? ''
}

/** For example `PRJ/shop`. */
function repositoryPath(repository: unknown): string {
  const key = optionalTextAt(repository, 'project.key') ?? ''
  const slug = optionalTextAt(repository, 'slug') ?? ''
  return key === '' || slug === '' ? '' : `${key}/${slug}`
}

function timeAt(item: unknown, place: string): string {
  const time = new Date(Number(optionalTextAt(item, place) ?? Number.NaN))
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

/** The comment of an entry in the activity of a pull request; undefined for other entries and a comment that stands at a file. */
export function commentOfActivity(number: string, item: unknown): ForgeComment | undefined {
  if (optionalTextAt(item, 'action') !== 'COMMENTED' || valueAt(item, 'commentAnchor') !== undefined) {
    return undefined
  }
  return serverComment(number, valueAt(item, 'comment'))
}

/** Reads a comment. */
export function serverComment(number: string, comment: unknown): ForgeComment {
  const id = textAt(comment, 'id')
  return { id, body: longTextAt(comment, 'text'), url: `${number}/overview?commentId=${id}` }
}

/** Reads the status of a commit, whose context is its key. */
export function serverStatus(item: unknown): CommitStatus {
  const state = textAt(item, 'state')
  const known = Object.entries(words).find(([, word]) => word === state)
  const url = optionalTextAt(item, 'url') ?? ''
  return {
    context: textAt(item, 'key'),
    state: known ? (known[0] as CommitStatus['state']) : 'error',
    description: optionalTextAt(item, 'description') ?? '',
    targetUrl: /\/commits\/[0-9a-f]{40}$/.test(url) ? '' : url,
  }
}

/** True if a status can lead to an address; others lead to the page of their commit, as an address is required. */
export function isStatusUrl(url: string): boolean {
  return url !== '' && url.length <= maxUrl
}

/** A status as it is sent. */
export function newServerStatus({ context, state, description }: CommitStatus, url: string) {
  return { key: context, name: context, state: words[state], description, url }
}
