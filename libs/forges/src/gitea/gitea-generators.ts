import type { PullRequestSource, RepositorySource } from '../forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt } from '../forge-values.ts'
import type { GeneratorSource } from '../forge.ts'
import { branchesOf, hasContents, pullRequestsIn } from '../github/github-form.ts'

/** Servers give at most 50 items a page unless they are set up otherwise. */
const pageSize = { limit: '50' }

/** The repositories of an organisation; as in Argo CD the labels of their issues are their labels. */
export const giteaRepositories: GeneratorSource<RepositorySource> = {
  field: 'gitea',
  read: (reader, fields, at) => {
    const allBranches = reader.boolean(fields, 'allBranches', at) ?? false
    const excludeArchivedRepos = reader.boolean(fields, 'excludeArchivedRepos', at) ?? false
    const owner = reader.requiredString(fields, 'owner', at)
    return (api) => ({
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
    })
  },
}

/** The open pull requests of a repository of Gitea or Forgejo. */
export const giteaPullRequests: GeneratorSource<PullRequestSource> = pullRequestsIn('gitea', {
  ...pageSize,
  state: 'open',
})
