import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, longTextAt, optionalTextAt, textAt } from '../forge-values.ts'
import { pullRequestOfGithub, statusOfGithub } from '../github/github-answers.ts'
import type {
  ForgeComment,
  KeepingForge,
  KeptPullRequest,
  Mergeability,
  PullRequestForge,
  ReviewingForge,
} from '../pull-requests/pull-request-forge.ts'

/** Servers give at most 50 items a page unless they are set up otherwise. */
const pageSize = { limit: '50' }

/** The colour of labels that Wadi makes. */
const labelColor = '#6b7280'

/** The pull requests of a repository of Gitea or Forgejo. */
export function giteaForge(api: ForgeApi, owner: string, repo: string): PullRequestForge {
  const repository = ['repos', owner, repo]
  return { ...reviewing(api, repository), ...keeping(api, repository) }
}

function reviewing(api: ForgeApi, repository: readonly string[]): ReviewingForge {
  const pulls = [...repository, 'pulls']
  const comments = (number: string) => [...repository, 'issues', number, 'comments']
  return {
    limits: { comment: 65_536, description: 255, title: 255 },
    hidden: (marker) => `<!-- ${marker} -->`,
    shown: (report) => report,
    visibility: () =>
      api.one({ path: repository }, (body) => {
        if (isTrueAt(body, 'internal')) return 'internal'
        return isTrueAt(body, 'private') ? 'private' : 'public'
      }),
    openPullRequests: () =>
      api.all({ path: pulls, query: { ...pageSize, state: 'open' } }, pullRequestOfGithub),
    pullRequest: (number) => api.one({ path: [...pulls, number] }, pullRequestOfGithub),
    status: async (sha, context) => {
      const path = [...repository, 'commits', sha, 'status']
      const found = await api.one({ path, query: pageSize }, (body) =>
        listAt(body, 'statuses').map(statusOfGithub),
      )
      return found.find((status) => status.context === context)
    },
    putStatus: (sha, { context, state, description, targetUrl }) => {
      const body = { state, context, description, target_url: targetUrl }
      return api.send('POST', { path: [...repository, 'statuses', sha] }, body, () => undefined)
    },
    comments: (number) => api.all({ path: comments(number) }, commentOf),
    addComment: (number, body) => api.send('POST', { path: comments(number) }, { body }, commentOf),
    changeComment: (_number, id, body) =>
      api.send('PATCH', { path: [...repository, 'issues', 'comments', id] }, { body }, commentOf),
    putAnnotations: () => Promise.resolve('unsupported'),
  }
}

function keeping(api: ForgeApi, repository: readonly string[]): KeepingForge {
  const pulls = [...repository, 'pulls']
  const read = pullRequestOfGithub
  return {
    openBetween: async (head, base) => {
      const query = { ...pageSize, state: 'open' }
      const found = await api.all({ path: pulls, query }, read)
      return found.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
    },
    open: (parts) => api.send('POST', { path: pulls }, parts, read),
    update: (number, parts) => api.send('PATCH', { path: [...pulls, number] }, parts, read),
    close: (number) => api.send('PATCH', { path: [...pulls, number] }, { state: 'closed' }, read),
    addLabels: async ({ number }, names) => {
      const labels = await labelIds(api, repository, names)
      await api.send(
        'POST',
        { path: [...repository, 'issues', number, 'labels'] },
        { labels },
        () => undefined,
      )
    },
    reviewers: async (number) => {
      const asked = await api.one({ path: [...pulls, number] }, (body) =>
        listAt(body, 'requested_reviewers').map((account) => textAt(account, 'login')),
      )
      const given = await api.all(
        { path: [...pulls, number, 'reviews'], query: pageSize },
        (item) => optionalTextAt(item, 'user.login') ?? '',
      )
      return [...asked, ...given]
    },
    addReviewers: ({ number }, reviewers) => {
      const path = [...pulls, number, 'requested_reviewers']
      return api.send('POST', { path }, { reviewers }, () => undefined)
    },
    mergeability: (pullRequest) => mergeability(api, repository, pullRequest),
    merge: (number, { method, headSha }) => {
      const body = { do: method, head_commit_id: headSha }
      return api.send('POST', { path: [...pulls, number, 'merge'] }, body, () => undefined)
    },
  }
}

function commentOf(item: unknown): ForgeComment {
  return { id: textAt(item, 'id'), body: longTextAt(item, 'body'), url: textAt(item, 'html_url') }
}

/** The ids of labels of the repository; those that it lacks are made, as GitHub does it by itself. */
async function labelIds(
  api: ForgeApi,
  repository: readonly string[],
  names: readonly string[],
): Promise<number[]> {
  const path = [...repository, 'labels']
  const read = (item: unknown) => ({ id: Number(textAt(item, 'id')), name: textAt(item, 'name') })
  const known = await api.all({ path, query: pageSize }, read)
  const ids: number[] = []
  for (const name of names) {
    const found = known.find((label) => label.name === name)
    const label = found ?? (await api.send('POST', { path }, { name, color: labelColor }, read))
    ids.push(label.id)
  }
  return ids
}

/** Rules of the branch are asked by the merge itself; statuses that are not required count here, too. */
async function mergeability(
  api: ForgeApi,
  repository: readonly string[],
  { number, headSha }: KeptPullRequest,
): Promise<Mergeability> {
  const isMergeable = await api.one({ path: [...repository, 'pulls', number] }, (body) =>
    isTrueAt(body, 'mergeable'),
  )
  if (!isMergeable) {
    return {
      isReady: false,
      waitingFor: 'it conflicts with the branch that it is merged to, or is being checked',
    }
  }
  const checks = await api.one(
    { path: [...repository, 'commits', headSha, 'status'], query: pageSize },
    (body) => ({ state: optionalTextAt(body, 'state') ?? '', count: listAt(body, 'statuses').length }),
  )
  if (checks.count === 0 || checks.state === 'success') return { isReady: true }
  return { isReady: false, waitingFor: 'checks have not passed' }
}
