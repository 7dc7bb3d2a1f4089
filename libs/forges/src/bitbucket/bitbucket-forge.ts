import { queryText } from '../page-paths.ts'
import { authorizationBy } from '../forge-protocol.ts'
import { accountOfGit, type Forge, repositoryParts } from '../forge.ts'

/** Bitbucket Cloud. */
export const bitbucket: Forge = {
  name: 'bitbucket',
  hosts: /^bitbucket\.org$/,
  likelyHosts: /bitbucket\.org$/,
  defaultApi: 'https://api.bitbucket.org',
  apiOfHost: (host) => (host === 'bitbucket.org' ? '' : undefined),
  versionPath: () => '/2.0',
  authorization: authorizationBy('Bearer'),
  // An API token goes with the e-mail address of its account, as ADDRESS:TOKEN.
  account: (signIn, token) => {
    const [, username, own] = /^([^:@\s]+@[^:\s]+):(.+)$/s.exec(signIn.forgeToken ?? '') ?? []
    return username !== undefined && own !== undefined
      ? { token: own, username }
      : accountOfGit(signIn, token)
  },
  pages: {
    commit: '/commits/{sha}',
    branch: '/branch/{branch}',
    file: '/src/{sha}/{path}',
    directory: '/src/{sha}/{path}',
    line: '#lines-{line}',
    pullRequest: (from, to) => `/pull-requests/new?${queryText({ source: from, dest: to })}`,
  },
  open: async (api, repository) => {
    const [workspace, name] = repositoryParts(bitbucket, repository)
    const { bitbucketForge } = await import('./bitbucket-pull-requests.ts')
    return bitbucketForge(api, workspace, name)
  },
}
