import { isTrueAt, longTextAt, optionalTextAt, textAt, valueAt } from '../forge-values.ts'
import type { CommitStatus, ForgeComment, KeptPullRequest } from '../pull-requests/pull-request-forge.ts'

const words = {
  pending: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
  error: 'STOPPED',
} as const

/** The longest key of a status. */
const maxKey = 40

/** Reads a pull request, of whose head Bitbucket says the first twelve digits. */
export function bitbucketPullRequest(item: unknown): KeptPullRequest {
  const headRepository = optionalTextAt(item, 'source.repository.full_name') ?? ''
  const state = textAt(item, 'state')
  const isFork = headRepository !== (optionalTextAt(item, 'destination.repository.full_name') ?? '')
  return {
    number: textAt(item, 'id'),
    title: textAt(item, 'title'),
    body: longTextAt(item, 'description'),
    url: optionalTextAt(item, 'links.html.href') ?? '',
    // Empty when the branch is gone.
    headSha: optionalTextAt(item, 'source.commit.hash') ?? '',
    headBranch: textAt(item, 'source.branch.name'),
    headRepository,
    baseBranch: textAt(item, 'destination.branch.name'),
    isFork,
    isHeadElsewhere: isFork,
    author: optionalTextAt(item, 'author.nickname') ?? '',
    isDraft: isTrueAt(item, 'draft'),
    updatedAt: optionalTextAt(item, 'updated_on') ?? '',
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    labels: [],
  }
}

/**
 * Reads a comment; undefined for one that was deleted or stands at a line.
 * @param author the account whose comments alone are read; of all by default
 */
export function bitbucketComment(item: unknown, author?: string): ForgeComment | undefined {
  if (isTrueAt(item, 'deleted') || (valueAt(item, 'inline') ?? undefined) !== undefined) return undefined
  if (author !== undefined && optionalTextAt(item, 'user.uuid') !== author) return undefined
  const body = longTextAt(item, 'content.raw')
  return { id: textAt(item, 'id'), body, url: optionalTextAt(item, 'links.html.href') ?? '' }
}

/** The key by which a status is found again. */
export function statusKey(context: string): string {
  return context.replaceAll('/', '-').slice(0, maxKey)
}

/** Reads the status of a commit, whose context is its name. */
export function bitbucketStatus(item: unknown): CommitStatus {
  const state = textAt(item, 'state')
  const known = Object.entries(words).find(([, word]) => word === state)
  const url = optionalTextAt(item, 'url') ?? ''
  return {
    context: optionalTextAt(item, 'name') ?? '',
    state: known ? (known[0] as CommitStatus['state']) : 'error',
    description: optionalTextAt(item, 'description') ?? '',
    targetUrl: /\/commits\/[0-9a-f]{40}$/.test(url) ? '' : url,
  }
}

/** A status as it is sent; Bitbucket wants an address, so one without leads to the page of the commit. */
export function newBitbucketStatus(sha: string, { context, state, description, targetUrl }: CommitStatus) {
  return {
    type: 'build',
    key: statusKey(context),
    name: context,
    state: words[state],
    description,
    url: targetUrl === '' ? `https://bitbucket.org/{repository.full_name}/commits/${sha}` : targetUrl,
  }
}
