import type { ForgeApi } from './forge-api.ts'
import type { PullRequestSource, RepositorySource } from './forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt } from './forge-values.ts'
import { branchesOf, hasContents, pullRequestsOf, type WantedPullRequests } from './github-form.ts'

/** What of Gitea or Forgejo the scmProvider generator reads. */
export interface GiteaRepositories {
  owner: string
  allBranches: boolean
  excludeArchivedRepos: boolean
}

/** Servers give at most 50 items a page unless they are set up otherwise. */
const pageSize = { limit: '50' }

/** The repositories of an organisation; as in Argo CD the labels of their issues are their labels. */
export function giteaRepositories(api: ForgeApi, options: GiteaRepositories): RepositorySource {
  const { owner, allBranches, excludeArchivedRepos } = options
  return {
    repositories: async () => {
      const all = await api.all({ path: ['orgs', owner, 'repos'], query: pageSize }, (item) => ({
        organization: owner,
        name: textAt(item, 'name'),
        id: textAt(item, 'id'),
        // As in Argo CD the one without `.git`.
        cloneUrls: { ssh: textAt(item, 'ssh_url'), https: textAt(item, 'html_url') },
        defaultBranch: optionalTextAt(item, 'default_branch') ?? '',
        topics: [],
        isArchived: isTrueAt(item, 'archived'),
      }))
      return all.filter(({ isArchived }) => !(excludeArchivedRepos && isArchived))
    },
    labels: async ({ name }) =>
      api.all({ path: ['repos', owner, name, 'labels'], query: pageSize }, (item) => textAt(item, 'name')),
    branches: async ({ name, defaultBranch }) =>
      branchesOf(api, { owner, name }, allBranches ? undefined : defaultBranch, {
        query: pageSize,
        shaAt: 'commit.id',
      }),
    hasPath: async ({ name }, branch, path) => hasContents(api, { owner, name }, branch, path),
  }
}

/** The open pull requests of a repository of Gitea or Forgejo. */
export function giteaPullRequests(api: ForgeApi, wanted: WantedPullRequests): PullRequestSource {
  return pullRequestsOf(api, wanted, { ...pageSize, state: 'open' })
}
