import { queryText } from '../page-paths.ts'
import { authorizationBy } from '../forge-protocol.ts'
import { accountOfGit, type Forge, repositoryParts } from '../forge.ts'

/** Bitbucket Data Center, whose API is another one than that of Bitbucket Cloud. */
export const bitbucketServer: Forge = {
  name: 'bitbucket-server',
  hosts: /^bitbucket(?:-server)?(?:\.|$)(?!org$)/,
  likelyHosts: /^bitbucket\./,
  defaultApi: '',
  versionPath: () => '/rest',
  authorization: authorizationBy('Bearer'),
  account: accountOfGit,
  repositoryPath: (path) => path.replace(/^scm\//, ''),
  pages: {
    commit: '/commits/{sha}',
    branch: '/browse?at=refs/heads/{branch}',
    file: '/browse/{path}?at={sha}',
    directory: '/browse/{path}?at={sha}',
    line: '#{line}',
    pullRequest: (from, to) =>
      `/pull-requests?create&${queryText({ sourceBranch: `refs/heads/${from}`, targetBranch: `refs/heads/${to}` })}`,
    repository: (path) =>
      path
        .replace(/^\/scm\//, '/')
        .replace(/^\/(~?)([^/]+)\/([^/]+)$/, (_, user: string, owner: string, name: string) =>
          user === '' ? `/projects/${owner}/repos/${name}` : `/users/${owner}/repos/${name}`,
        ),
  },
  open: async (api, repository) => {
    const [project, slug] = repositoryParts(bitbucketServer, repository)
    const { bitbucketServerForge } = await import('./bitbucket-server-pull-requests.ts')
    return bitbucketServerForge(api, project, slug)
  },
}
