import { comparedPath } from '../page-paths.ts'
import { authorizationBy } from '../forge-protocol.ts'
import { type Forge, repositoryParts } from '../forge.ts'
import { githubPullRequests, githubRepositories } from './github-generators.ts'

/** GitHub, also GitHub Enterprise. */
export const github: Forge = {
  name: 'github',
  ownField: 'githubAppPrivateKey',
  hosts: /^github(?:\.|$)|\.ghe\.com$/,
  likelyHosts: /github|\.ghe\.com$/,
  defaultApi: 'https://api.github.com',
  apiOfHost: (host) => {
    if (host === 'github.com') return ''
    return host.endsWith('.ghe.com') ? `https://api.${host}` : undefined
  },
  versionPath: (host) => (host.startsWith('api.') || host.includes('.api.') ? '' : '/api/v3'),
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  authorization: authorizationBy('Bearer'),
  pages: {
    commit: '/commit/{sha}',
    branch: '/tree/{branch}',
    file: '/blob/{sha}/{path}',
    directory: '/tree/{sha}/{path}',
    line: '#L{line}',
    pullRequest: (from, to) => `${comparedPath(from, to)}?expand=1`,
  },
  open: async (api, repository) => {
    const [owner, name] = repositoryParts(github, repository)
    const { githubForge } = await import('./github-pull-requests.ts')
    return githubForge(api, owner, name)
  },
  repositories: githubRepositories,
  pullRequests: githubPullRequests,
}
