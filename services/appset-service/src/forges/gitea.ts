import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from './forge-api.ts'
import type { PullRequestSource, RepositorySource } from './forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from './forge-values.ts'

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
    branches: async ({ name, defaultBranch }) => {
      const path = ['repos', owner, name, 'branches']
      const read = (item: unknown) => ({ name: textAt(item, 'name'), sha: textAt(item, 'commit.id') })
      if (allBranches) return api.all({ path, query: pageSize }, read)
      if (defaultBranch === '') return []
      try {
        return [await api.one({ path: [...path, defaultBranch] }, read)]
      } catch (error) {
        // The name is there before the first commit is.
        if (error instanceof NotFoundError) return []
        throw error
      }
    },
    hasPath: async ({ name }, branch, path) =>
      api.has(
        { path: ['repos', owner, name, 'contents', ...path.split('/')], query: { ref: branch } },
        'GET',
      ),
  }
}

/** The open pull requests of a repository of Gitea or Forgejo. */
export function giteaPullRequests(
  api: ForgeApi,
  { owner, repo, labels }: { owner: string; repo: string; labels: readonly string[] },
): PullRequestSource {
  const path = ['repos', owner, repo]
  return {
    cloneUrls: async () => api.one({ path }, (body) => [textAt(body, 'clone_url'), textAt(body, 'ssh_url')]),
    pullRequests: async () => {
      const query = { ...pageSize, state: 'open' }
      const all = await api.all({ path: [...path, 'pulls'], query }, (item) => ({
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
