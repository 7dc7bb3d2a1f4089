import { isTrueAt, longTextAt, optionalTextAt, textAt, textsAt, valueAt } from '../forge-values.ts'
import type { CommitStatus, ForgeComment, KeptPullRequest } from '../pull-requests/pull-request-forge.ts'

const stateWords = { pending: 'pending', success: 'succeeded', failure: 'failed', error: 'error' } as const

/** Branch of a full ref. */
export function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

/** Reads a pull request; lists have no more than the first 400 characters of its description. */
export function azurePullRequest(item: unknown): KeptPullRequest {
  const status = textAt(item, 'status')
  const fork = valueAt(item, 'forkSource') ?? undefined
  const repository = valueAt(fork ?? item, 'repository')
  const project = optionalTextAt(repository, 'project.name') ?? ''
  return {
    number: textAt(item, 'pullRequestId'),
    title: textAt(item, 'title'),
    body: longTextAt(item, 'description'),
    url: pageOf(item),
    headSha: optionalTextAt(item, 'lastMergeSourceCommit.commitId') ?? '',
    headBranch: branchOf(textAt(item, 'sourceRefName')),
    headRepository: project === '' ? '' : `${project}/${textAt(repository, 'name')}`,
    baseBranch: branchOf(textAt(item, 'targetRefName')),
    isFork: fork !== undefined,
    author: optionalTextAt(item, 'createdBy.uniqueName') ?? '',
    isDraft: isTrueAt(item, 'isDraft'),
    // Nothing tells when it was changed.
    updatedAt: optionalTextAt(item, 'closedDate') ?? optionalTextAt(item, 'creationDate') ?? '',
    state: status === 'active' ? 'open' : status === 'completed' ? 'merged' : 'closed',
    labels: textsAt(item, 'labels'),
  }
}

/** Page of a pull request: answers have only the address of its repository in the API, which may name the project by its id. */
function pageOf(item: unknown): string {
  const repository = valueAt(item, 'repository')
  const api = optionalTextAt(repository, 'url') ?? ''
  const [project, id] = ['project.name', 'project.id'].map((place) => optionalTextAt(repository, place) ?? '')
  const at = api.indexOf('/_apis/')
  if (at === -1 || project === undefined) return ''
  const collection = api.slice(0, at).replace(id ? `/${id}` : '', '')
  const path = [project, '_git', textAt(repository, 'name'), 'pullrequest', textAt(item, 'pullRequestId')]
  return `${collection}/${path.map(encodeURIComponent).join('/')}`
}

/** Reads a thread as the comment that it begins with; undefined for one that is deleted, at a file or of the system. */
export function commentOfThread(thread: unknown): ForgeComment | undefined {
  const [first] = [valueAt(thread, 'comments')].flat()
  const isOther = [thread, first].some((one) => isTrueAt(one, 'isDeleted'))
  const isAtFile = (valueAt(thread, 'threadContext') ?? undefined) !== undefined
  if (isOther || isAtFile || optionalTextAt(first, 'commentType') === 'system') return undefined
  return azureComment(textAt(thread, 'id'), first)
}

/** Reads a comment of a thread. */
export function azureComment(thread: string, comment: unknown): ForgeComment {
  const id = textAt(comment, 'id')
  return { id: `${thread}/${id}`, body: longTextAt(comment, 'content'), url: `?discussionId=${thread}` }
}

/** Reads a status. */
export function azureStatus(item: unknown): CommitStatus {
  const state = optionalTextAt(item, 'state')
  const known = Object.entries(stateWords).find(([, word]) => word === state)
  const genre = optionalTextAt(item, 'context.genre') ?? ''
  const name = textAt(item, 'context.name')
  return {
    context: genre === '' ? name : `${genre}/${name}`,
    state: known ? (known[0] as CommitStatus['state']) : 'error',
    description: optionalTextAt(item, 'description') ?? '',
    targetUrl: optionalTextAt(item, 'targetUrl') ?? '',
  }
}

/** Status as it is sent: the part of its context before the last slash is the genre. */
export function newAzureStatus({ context, state, description, targetUrl }: CommitStatus) {
  const slash = context.lastIndexOf('/')
  const name = context.slice(slash + 1)
  return {
    context: slash === -1 ? { name } : { genre: context.slice(0, slash), name },
    state: stateWords[state],
    description,
    ...(targetUrl !== '' && { targetUrl }),
  }
}
