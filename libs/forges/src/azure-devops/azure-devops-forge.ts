import { azureDevOpsPath } from '@wadi/git/remote/azure-devops-path.ts'
import { basicAuthorization } from '../forge-protocol.ts'
import { accountOfGit, type Forge, repositoryParts } from '../forge.ts'
import { queryText } from '../page-paths.ts'
import { azurePullRequests, azureRepositories } from './azure-devops-generators.ts'

/** Azure DevOps Services, and Azure DevOps Server from 2022. */
export const azureDevOps: Forge = {
  name: 'azure-devops',
  hosts: /^(?:ssh\.)?dev\.azure\.com$|\.visualstudio\.com$/,
  likelyHosts: /^dev\.azure\.com$/,
  defaultApi: 'https://dev.azure.com',
  apiOfHost: (host) => (azureDevOps.hosts.test(host) ? '' : undefined),
  versionPath: () => '',
  // Otherwise it redirects those whose token it does not accept to a page for signing in.
  headers: { 'x-tfs-fedauthredirect': 'Suppress' },
  query: { 'api-version': '7.0' },
  // Tokens of Microsoft Entra are JWTs, and the personal ones of Azure DevOps are passwords of any user.
  authorization: (account) =>
    /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(account.token)
      ? { authorization: `Bearer ${account.token}` }
      : basicAuthorization(account),
  isSignIn: ({ status, headers: { location = '' } }) =>
    status === 203 || (status === 302 && /signin|login\.microsoftonline\.com/i.test(location)),
  scopes: 'Code (read & write) and Code (status)',
  account: accountOfGit,
  repositoryPath: (path, host) => pathOf(host, path.split('/').map(plainSegment)).join('/'),
  pages: {
    commit: '/commit/{sha}',
    branch: '?version=GB{branch}',
    file: '?path=/{path}&version=GC{sha}',
    directory: '?path=/{path}&version=GC{sha}',
    line: '&line={line}',
    pullRequest: (from, to) => `/pullrequestcreate?${queryText({ sourceRef: from, targetRef: to })}`,
    repository: (path) => (path.includes('/_git/') ? path : path.replace(/\/([^/]+)$/, '/_git/$1')),
  },
  open: async (api, repository) => {
    const parts = repositoryParts(azureDevOps, repository, 3)
    const { azureForge } = await import('./azure-devops-pull-requests.ts')
    return azureForge(api, parts.slice(0, -1), parts.at(-1) ?? '')
  },
  repositories: azureRepositories,
  pullRequests: azurePullRequests,
}

/** Organization or collection, project and repository; a project's repository of the same name may be named once. */
function pathOf(host: string, path: readonly string[]): readonly string[] {
  const known = azureDevOpsPath(host, path)
  if (known) return known
  const at = path.findIndex((part) => part === '_git' || part === '_ssh')
  if (at === -1) return path
  const name = path.slice(at + 1).filter((part) => part !== '_full' && part !== '_optimized')
  return [...(at === 0 ? name : path.slice(0, at)), ...name]
}

function plainSegment(segment: string): string {
  try {
    const plain = decodeURIComponent(segment)
    return plain.includes('/') ? segment : plain
  } catch {
    return segment
  }
}
