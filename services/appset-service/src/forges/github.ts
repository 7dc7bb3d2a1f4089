import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from './forge-api.ts'
import type { ForgeBranch, ForgeRepository, PullRequestSource, RepositorySource } from './forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from './forge-values.ts'

/** What of GitHub the scmProvider generator reads. */
export interface GithubRepositories {
  organization: string
  allBranches: boolean
  excludeArchivedRepos: boolean
}

const pageSize = { per_page: '100' }

/** The repositories of an organisation of GitHub; their topics are their labels. */
export function githubRepositories(api: ForgeApi, options: GithubRepositories): RepositorySource {
  const { organization, allBranches, excludeArchivedRepos } = options
  return {
    repositories: async () => {
      const all = await api.all({ path: ['orgs', organization, 'repos'], query: pageSize }, (item) => ({
        organization: textAt(item, 'owner.login'),
        name: textAt(item, 'name'),
        id: textAt(item, 'id'),
        cloneUrls: { ssh: textAt(item, 'ssh_url'), https: textAt(item, 'clone_url') },
        defaultBranch: optionalTextAt(item, 'default_branch') ?? '',
        topics: textsAt(item, 'topics'),
        isArchived: isTrueAt(item, 'archived'),
      }))
      return all.filter(({ isArchived }) => !(excludeArchivedRepos && isArchived))
    },
    labels: ({ topics }) => Promise.resolve(topics),
    branches: async ({ organization: owner, name, defaultBranch }) =>
      branchesOf(api, ['repos', owner, name, 'branches'], allBranches ? undefined : defaultBranch),
    hasPath: async ({ organization: owner, name }: ForgeRepository, branch, path) =>
      api.has(
        { path: ['repos', owner, name, 'contents', ...path.split('/')], query: { ref: branch } },
        'GET',
      ),
  }
}

async function branchesOf(
  api: ForgeApi,
  path: readonly string[],
  only: string | undefined,
): Promise<ForgeBranch[]> {
  const read = (item: unknown) => ({ name: textAt(item, 'name'), sha: textAt(item, 'commit.sha') })
  if (only === undefined) return api.all({ path, query: pageSize }, read)
  if (only === '') return []
  try {
    return [await api.one({ path: [...path, only] }, read)]
  } catch (error) {
    if (error instanceof NotFoundError) return []
    throw error
  }
}

/** The open pull requests of a repository of GitHub. */
export function githubPullRequests(
  api: ForgeApi,
  { owner, repo, labels }: { owner: string; repo: string; labels: readonly string[] },
): PullRequestSource {
  return {
    cloneUrls: async () =>
      api.one({ path: ['repos', owner, repo] }, (body) => [
        textAt(body, 'clone_url'),
        textAt(body, 'ssh_url'),
      ]),
    pullRequests: async () => {
      const all = await api.all({ path: ['repos', owner, repo, 'pulls'], query: pageSize }, (item) => ({
        number: textAt(item, 'number'),
        title: textAt(item, 'title'),
        branch: textAt(item, 'head.ref'),
        targetBranch: textAt(item, 'base.ref'),
        headSha: textAt(item, 'head.sha'),
        author: optionalTextAt(item, 'user.login') ?? '',
        labels: textsAt(item, 'labels'),
      }))
      return all.filter((found) => labels.every((label) => found.labels.includes(label)))
    },
  }
}
