import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ForgeName } from '../forge-address.ts'
import type { ForgeApi } from '../forge-api.ts'
import { bitbucketForge } from './bitbucket-pull-requests.ts'
import { bitbucketServerForge } from './bitbucket-server-pull-requests.ts'
import { giteaForge } from './gitea-pull-requests.ts'
import { githubForge } from './github-pull-requests.ts'
import { gitlabForge } from './gitlab-pull-requests.ts'
import type { PullRequestForge } from './pull-request-forge.ts'

/**
 * One repository of a forge.
 * @param repository its path, for example `team/shop`
 * @throws FailedPreconditionError with the code `no-forge` for a path that no repository of the forge has
 */
export function openForge(forge: ForgeName, api: ForgeApi, repository: string): PullRequestForge {
  const parts = repository.split('/')
  if (forge === 'gitlab' && parts.length > 1 && !parts.includes('')) return gitlabForge(api, repository)
  const [owner, name, ...rest] = parts
  if (owner === undefined || name === undefined || rest.length > 0 || parts.includes('')) {
    throw new FailedPreconditionError(`${repository} is not the path of a repository of ${forge}`, {
      code: 'no-forge',
    })
  }
  if (forge === 'github') return githubForge(api, owner, name)
  if (forge === 'gitea') return giteaForge(api, owner, name)
  return forge === 'bitbucket' ? bitbucketForge(api, owner, name) : bitbucketServerForge(api, owner, name)
}
