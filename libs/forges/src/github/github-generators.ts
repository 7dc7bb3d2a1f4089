import type { PullRequestSource, RepositorySource } from '../forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type { GeneratorSource } from '../forge.ts'
import { branchesOf, hasContents, pullRequestsIn } from './github-form.ts'

const pageSize = { per_page: '100' }

/** The repositories of an organisation of GitHub; their topics are their labels. */
export const githubRepositories: GeneratorSource<RepositorySource> = {
  field: 'github',
  read: (reader, fields, at) => {
    const allBranches = reader.boolean(fields, 'allBranches', at) ?? false
    const excludeArchivedRepos = reader.boolean(fields, 'excludeArchivedRepos', at) ?? false
    const organization = reader.requiredString(fields, 'organization', at)
    return (api) => ({
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
    })
  },
}

/** The open pull requests of a repository of GitHub. */
export const githubPullRequests: GeneratorSource<PullRequestSource> = pullRequestsIn('github', pageSize)
