import { DomainError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, longTextAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type {
  CommitStatus,
  ForgeComment,
  KeepingForge,
  KeptPullRequest,
  Mergeability,
  PullRequestForge,
  ReviewingForge,
} from '../pull-requests/pull-request-forge.ts'

const pageSize = { per_page: '100' }

/** GitLab's names of a commit's states; it has none for an error. */
const stateWords = { pending: 'pending', success: 'success', failure: 'failed', error: 'canceled' } as const

/** The meaning of GitLab's reasons why a merge request cannot be merged now. */
const waits: Readonly<Record<string, string>> = {
  ci_must_pass: 'checks have not passed',
  ci_still_running: 'checks have not passed',
  conflict: 'it conflicts with the branch that it is merged to',
  discussions_not_resolved: 'a discussion is not resolved',
  draft_status: 'it is a draft',
  need_rebase: 'the branch is behind the one that it is merged to',
  not_approved: 'an approval is missing',
}

/** The merge requests of a project of GitLab; its path has all groups above it. */
export function gitlabForge(api: ForgeApi, path: string): PullRequestForge {
  const project = ['projects', path]
  const read = (item: unknown) => mergeRequestOf(item, path)
  return { ...reviewing(api, project, read), ...keeping(api, project, read) }
}

type Read = (item: unknown) => KeptPullRequest

function reviewing(api: ForgeApi, project: readonly string[], read: Read): ReviewingForge {
  const requests = [...project, 'merge_requests']
  const notes = (number: string) => [...requests, number, 'notes']
  return {
    limits: { comment: 1_000_000, description: 255, title: 255 },
    hidden: (marker) => `<!-- ${marker} -->`,
    shown: (report) => report,
    visibility: () =>
      api.one({ path: project }, (body) => {
        const visibility = textAt(body, 'visibility')
        return visibility === 'public' || visibility === 'internal' ? visibility : 'private'
      }),
    isProtected: (branch) =>
      api.find({ path: [...project, 'repository', 'branches', branch] }, (body) =>
        isTrueAt(body, 'protected'),
      ),
    openPullRequests: () => api.all({ path: requests, query: { ...pageSize, state: 'opened' } }, read),
    pullRequest: (number) => api.one({ path: [...requests, number] }, read),
    status: async (sha, name) => {
      const path = [...project, 'repository', 'commits', sha, 'statuses']
      const found = await api.all({ path, query: { ...pageSize, name } }, statusOf)
      return found.find(({ context }) => context === name)
    },
    putStatus: (sha, status) => putStatus(api, [...project, 'statuses', sha], status),
    comments: (number) => {
      const query = { ...pageSize, order_by: 'created_at', sort: 'asc' }
      return api.all({ path: notes(number), query }, noteOf)
    },
    addComment: (number, body) => api.send('POST', { path: notes(number) }, { body }, noteOf),
    changeComment: (number, id, body) => api.send('PUT', { path: [...notes(number), id] }, { body }, noteOf),
    putAnnotations: () => Promise.resolve('unsupported'),
  }
}

function keeping(api: ForgeApi, project: readonly string[], read: Read): KeepingForge {
  const requests = [...project, 'merge_requests']
  const change = (number: string, parts: Record<string, unknown>) =>
    api.send('PUT', { path: [...requests, number] }, parts, read)
  return {
    openBetween: async (head, base) => {
      const query = { ...pageSize, state: 'opened', source_branch: head, target_branch: base }
      const found = await api.all({ path: requests, query }, read)
      return found.find((one) => !one.isFork && one.headBranch === head && one.baseBranch === base)
    },
    open: ({ head, base, title, body }) => {
      const parts = { source_branch: head, target_branch: base, title, description: body }
      return api.send('POST', { path: requests }, parts, read)
    },
    update: (number, { title, body }) => change(number, { title, description: body }),
    close: (number) => change(number, { state_event: 'close' }),
    reopen: (number) => change(number, { state_event: 'reopen' }),
    addLabels: async ({ number }, labels) => {
      await change(number, { add_labels: labels })
    },
    reviewers: (number) =>
      api.one({ path: [...requests, number] }, (body) =>
        listAt(body, 'reviewers').map((account) => textAt(account, 'username')),
      ),
    addReviewers: async ({ number }, accounts, present) => {
      const ids = await Promise.all([...present, ...accounts].map((name) => accountId(api, name)))
      await change(number, { reviewer_ids: ids })
    },
    mergeability: ({ number }) => api.one({ path: [...requests, number] }, mergeabilityOf),
    // Whether a merge makes a merge commit or rebases is a setting of the project.
    merge: (number, { method, headSha }) => {
      const parts = { sha: headSha, squash: method === 'squash' }
      return api.send('PUT', { path: [...requests, number, 'merge'] }, parts, () => undefined)
    },
  }
}

function mergeRequestOf(item: unknown, path: string): KeptPullRequest {
  const isFork = textAt(item, 'source_project_id') !== textAt(item, 'target_project_id')
  const state = textAt(item, 'state')
  return {
    number: textAt(item, 'iid'),
    title: textAt(item, 'title'),
    body: longTextAt(item, 'description'),
    url: textAt(item, 'web_url'),
    headSha: optionalTextAt(item, 'sha') ?? '',
    headBranch: textAt(item, 'source_branch'),
    // Of another project GitLab says the number alone.
    headRepository: isFork ? '' : path,
    baseBranch: textAt(item, 'target_branch'),
    isFork,
    author: optionalTextAt(item, 'author.username') ?? '',
    isDraft: isTrueAt(item, 'draft') || isTrueAt(item, 'work_in_progress'),
    updatedAt: optionalTextAt(item, 'updated_at') ?? '',
    state: state === 'opened' ? 'open' : state === 'merged' ? 'merged' : 'closed',
    labels: textsAt(item, 'labels'),
  }
}

function noteOf(item: unknown): ForgeComment {
  const id = textAt(item, 'id')
  return { id, body: longTextAt(item, 'body'), url: `#note_${id}` }
}

function statusOf(item: unknown): CommitStatus {
  const state = textAt(item, 'status')
  return {
    context: textAt(item, 'name'),
    state: state === 'success' || state === 'pending' ? state : state === 'failed' ? 'failure' : 'error',
    description: optionalTextAt(item, 'description') ?? '',
    targetUrl: optionalTextAt(item, 'target_url') ?? '',
  }
}

/** GitLab takes no status with the state that the commit has already; then the old description stays. */
async function putStatus(
  api: ForgeApi,
  path: readonly string[],
  { context, state, description, targetUrl }: CommitStatus,
): Promise<void> {
  const body = {
    name: context,
    state: stateWords[state],
    description,
    ...(targetUrl !== '' && { target_url: targetUrl }),
  }
  try {
    await api.send('POST', { path }, body, () => undefined)
  } catch (error) {
    const isSame = error instanceof DomainError && /Cannot transition status/.test(error.message)
    if (!isSame) throw error
  }
}

function mergeabilityOf(body: unknown): Mergeability {
  const status = optionalTextAt(body, 'detailed_merge_status') ?? ''
  if (status === 'mergeable') return { isReady: true }
  return { isReady: false, waitingFor: waits[status] ?? `GitLab says ${status || 'nothing'} of the merge` }
}

async function accountId(api: ForgeApi, username: string): Promise<number> {
  const [id] = await api.all({ path: ['users'], query: { username } }, (item) => Number(textAt(item, 'id')))
  if (id === undefined) throw new InvalidInputError(`GitLab knows no account ${JSON.stringify(username)}`)
  return id
}
