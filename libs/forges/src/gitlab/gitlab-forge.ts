import { queryText } from '../page-paths.ts'
import { type Forge, repositoryParts } from '../forge.ts'
import { gitlabPullRequests, gitlabRepositories } from './gitlab-generators.ts'

/** GitLab. */
export const gitlab: Forge = {
  name: 'gitlab',
  hosts: /^gitlab(?:\.|$)/,
  likelyHosts: /gitlab/,
  defaultApi: 'https://gitlab.com',
  apiOfHost: (host) => (host === 'gitlab.com' ? '' : undefined),
  versionPath: () => '/api/v4',
  authorization: ({ token }) => ({ 'private-token': token }),
  pages: {
    commit: '/-/commit/{sha}',
    branch: '/-/tree/{branch}',
    file: '/-/blob/{sha}/{path}',
    directory: '/-/tree/{sha}/{path}',
    line: '#L{line}',
    pullRequest: (from, to) =>
      `/-/merge_requests/new?${queryText({ 'merge_request[source_branch]': from, 'merge_request[target_branch]': to })}`,
  },
  open: async (api, repository) => {
    repositoryParts(gitlab, repository, Infinity)
    const { gitlabForge } = await import('./gitlab-pull-requests.ts')
    return gitlabForge(api, repository)
  },
  repositories: gitlabRepositories,
  pullRequests: gitlabPullRequests,
}
