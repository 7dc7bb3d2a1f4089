import { basicAuthorization } from '../forge-protocol.ts'
import { type Forge, noForge } from '../forge.ts'
import { queryText } from '../page-paths.ts'

/** Azure DevOps: so far its pages alone. */
export const azureDevOps: Forge = {
  name: 'azure-devops',
  hosts: /^$/,
  likelyHosts: /^dev\.azure\.com$/,
  defaultApi: 'https://dev.azure.com',
  versionPath: () => '',
  authorization: basicAuthorization,
  pages: {
    commit: '/commit/{sha}',
    branch: '?version=GB{branch}',
    file: '?path=/{path}&version=GC{sha}',
    directory: '?path=/{path}&version=GC{sha}',
    line: '&line={line}',
    pullRequest: (from, to) => `/pullrequestcreate?${queryText({ sourceRef: from, targetRef: to })}`,
    repository: (path) => path.replace(/\/([^/]+)$/, '/_git/$1'),
  },
  open: async () => {
    throw noForge('pull requests of Azure DevOps are not supported')
  },
}
