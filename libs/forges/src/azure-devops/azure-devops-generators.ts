import type { PullRequestSource, RepositorySource } from '../forge-answers.ts'
import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type { GeneratorSource } from '../forge.ts'
import { branchOf } from './azure-devops-answers.ts'

/** Repositories of a project; as in Argo CD they have no labels, and their address is that for https with every `cloneProtocol`. */
export const azureRepositories: GeneratorSource<RepositorySource> = {
  field: 'azureDevOps',
  tokenField: 'accessTokenRef',
  read: (reader, fields, at) => {
    const organization = reader.requiredString(fields, 'organization', at)
    const project = reader.requiredString(fields, 'teamProject', at)
    const allBranches = reader.boolean(fields, 'allBranches', at) ?? false
    const path = [organization, project, '_apis', 'git', 'repositories']
    return (api) => ({
      repositories: async () => {
        const found = await api.all({ path }, (item) => {
          const url = optionalTextAt(item, 'remoteUrl') ?? ''
          return {
            organization,
            name: textAt(item, 'name'),
            id: textAt(item, 'id'),
            cloneUrls: { ssh: url, https: url },
            defaultBranch: branchOf(optionalTextAt(item, 'defaultBranch') ?? ''),
            topics: [],
            // One that is disabled cannot be read.
            isArchived: isTrueAt(item, 'isDisabled'),
          }
        })
        return found.filter(({ isArchived, cloneUrls }) => !isArchived && cloneUrls.https !== '')
      },
      labels: () => Promise.resolve([]),
      branches: async ({ id, defaultBranch }) => {
        if (defaultBranch === '') return []
        const filter = allBranches ? 'heads/' : `heads/${defaultBranch}`
        const query = { filter, $top: '1000' }
        const found = await api.all({ path: [...path, id, 'refs'], query }, (item) => ({
          name: branchOf(textAt(item, 'name')),
          sha: textAt(item, 'objectId'),
        }))
        return allBranches ? found : found.filter(({ name }) => name === defaultBranch)
      },
      hasPath: (repository, branch, wanted) => hasItem(api, [...path, repository.id], branch, wanted),
    })
  },
}

async function hasItem(
  api: ForgeApi,
  repository: readonly string[],
  branch: string,
  path: string,
): Promise<boolean> {
  const query = {
    scopePath: `/${path}`,
    'versionDescriptor.versionType': 'branch',
    'versionDescriptor.version': branch,
  }
  return api.has({ path: [...repository, 'items'], query }, 'GET')
}

/** Active pull requests of a repository; as in Argo CD an author is named by what is before the `@`. */
export const azurePullRequests: GeneratorSource<PullRequestSource> = {
  field: 'azuredevops',
  read: (reader, fields, at) => {
    const labels = reader.strings(fields, 'labels', at)
    const project = ['organization', 'project'].map((field) => reader.requiredString(fields, field, at))
    const path = [...project, '_apis', 'git', 'repositories', reader.requiredString(fields, 'repo', at)]
    return (api) => ({
      cloneUrls: async () =>
        api.one({ path }, (body) => [textAt(body, 'remoteUrl'), optionalTextAt(body, 'sshUrl') ?? '']),
      pullRequests: async () => {
        const query = { 'searchCriteria.status': 'active', $top: '100', $skip: '0' }
        const found = await api.all({ path: [...path, 'pullrequests'], query }, (item) => ({
          number: textAt(item, 'pullRequestId'),
          title: textAt(item, 'title'),
          branch: branchOf(textAt(item, 'sourceRefName')),
          targetBranch: branchOf(textAt(item, 'targetRefName')),
          // Argo CD leaves those without a commit out.
          headSha: optionalTextAt(item, 'lastMergeSourceCommit.commitId') ?? '',
          author: (optionalTextAt(item, 'createdBy.uniqueName') ?? '').split('@')[0] ?? '',
          labels: textsAt(item, 'labels'),
        }))
        return found.filter(
          (pull) => pull.headSha !== '' && labels.every((label) => pull.labels.includes(label)),
        )
      },
    })
  },
}
