import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, listAt, optionalTextAt, textAt } from '../forge-values.ts'
import { commentInGithubForm, commentsPath, pullsInGithubForm } from '../github/github-form-pulls.ts'
import type { KeptPullRequest, Mergeability, PullRequestForge } from '../pull-requests/pull-request-forge.ts'

/** Servers give at most 50 items a page unless they are set up otherwise. */
const pageSize = { limit: '50' }

/** The colour of labels that Wadi makes. */
const labelColor = '#6b7280'

/** The pull requests of a repository of Gitea or Forgejo. */
export function giteaForge(api: ForgeApi, owner: string, repo: string): PullRequestForge {
  const repository = ['repos', owner, repo]
  const common = pullsInGithubForm(api, repository, pageSize)
  return {
    ...common,
    limits: { comment: 65_536, description: 255, title: 255 },
    visibility: () =>
      api.one({ path: repository }, (body) => {
        if (isTrueAt(body, 'internal')) return 'internal'
        return isTrueAt(body, 'private') ? 'private' : 'public'
      }),
    putStatus: (sha, { context, state, description, targetUrl }) => {
      const body = { state, context, description, target_url: targetUrl }
      return api.send('POST', { path: [...repository, 'statuses', sha] }, body, () => undefined)
    },
    comments: (number) => api.all({ path: commentsPath(repository, number) }, commentInGithubForm),
    putAnnotations: () => Promise.resolve('unsupported'),
    openBetween: async (head, base) => {
      const found = await common.openPullRequests()
      return found.find((pull) => !pull.isFork && pull.headBranch === head && pull.baseBranch === base)
    },
    addLabels: async ({ number }, names) => {
      const labels = await labelIds(api, repository, names)
      const path = [...repository, 'issues', number, 'labels']
      await api.send('POST', { path }, { labels }, () => undefined)
    },
    mergeability: (pullRequest) => mergeability(api, repository, pullRequest),
    merge: (number, { method, headSha }) => {
      const body = { do: method, head_commit_id: headSha }
      const path = [...repository, 'pulls', number, 'merge']
      return api.send('POST', { path }, body, () => undefined)
    },
  }
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
