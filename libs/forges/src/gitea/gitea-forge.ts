import { comparedPath } from '../page-paths.ts'
import { authorizationBy } from '../forge-protocol.ts'
import { accountOfGit, type Forge, repositoryParts } from '../forge.ts'
import { giteaPullRequests, giteaRepositories } from './gitea-generators.ts'

/** Gitea and Forgejo. */
export const gitea: Forge = {
  name: 'gitea',
  aliases: ['forgejo'],
  hosts: /^(?:gitea|forgejo)(?:\.|$)|^codeberg\.org$/,
  likelyHosts: /gitea|forgejo|codeberg/,
  defaultApi: '',
  versionPath: () => '/api/v1',
  authorization: authorizationBy('token'),
  account: accountOfGit,
  pages: {
    commit: '/commit/{sha}',
    branch: '/src/branch/{branch}',
    file: '/src/commit/{sha}/{path}',
    directory: '/src/commit/{sha}/{path}',
    line: '#L{line}',
    pullRequest: comparedPath,
  },
  open: async (api, repository) => {
    const [owner, name] = repositoryParts(gitea, repository)
    const { giteaForge } = await import('./gitea-pull-requests.ts')
    return giteaForge(api, owner, name)
  },
  repositories: giteaRepositories,
  pullRequests: giteaPullRequests,
}
