import type { ForgeApi } from './forge-api.ts'
import type { PullRequestSource, RepositorySource } from './forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from './forge-values.ts'
import { branchesOf, hasContents, pullRequestsOf, type WantedPullRequests } from './github-form.ts'

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
      branchesOf(api, { owner, name }, allBranches ? undefined : defaultBranch, {
        query: pageSize,
        shaAt: 'commit.sha',
      }),
    hasPath: async ({ organization: owner, name }, branch, path) =>
      hasContents(api, { owner, name }, branch, path),
  }
}

/** The open pull requests of a repository of GitHub. */
export function githubPullRequests(api: ForgeApi, wanted: WantedPullRequests): PullRequestSource {
  return pullRequestsOf(api, wanted, pageSize)
}
