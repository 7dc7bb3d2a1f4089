import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { ForgeApi } from '../forge-api.ts'
import type { PullRequestSource, RepositorySource } from '../forge-answers.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type { GeneratorSource } from '../forge.ts'

const pageSize = { per_page: '100' }

interface GitlabRepositories {
  group: string
  includeSubgroups: boolean
  includeSharedProjects: boolean
  includeArchivedRepos: boolean
  /** Empty for projects of any topic. */
  topic: string
  allBranches: boolean
}

/** The projects of a group of GitLab; their topics are their labels. */
export const gitlabRepositories: GeneratorSource<RepositorySource> = {
  field: 'gitlab',
  read: (reader, fields, at) => {
    const flag = (name: string, byDefault: boolean) => reader.boolean(fields, name, at) ?? byDefault
    const options = {
      allBranches: flag('allBranches', false),
      group: reader.requiredString(fields, 'group', at),
      topic: reader.string(fields, 'topic', at) ?? '',
      includeSubgroups: flag('includeSubgroups', false),
      // The one flag of Argo CD that is on unless it is switched off.
      includeSharedProjects: flag('includeSharedProjects', true),
      includeArchivedRepos: flag('includeArchivedRepos', false),
    }
    return (api) => repositoriesOf(api, options)
  },
}

function repositoriesOf(api: ForgeApi, options: GitlabRepositories): RepositorySource {
  const { group, topic, allBranches } = options
  return {
    repositories: async () => {
      const query = {
        ...pageSize,
        include_subgroups: String(options.includeSubgroups),
        with_shared: String(options.includeSharedProjects),
        ...(topic !== '' && { topic }),
        ...(!options.includeArchivedRepos && { archived: 'false' }),
      }
      return api.all({ path: ['groups', group, 'projects'], query }, (item) => {
        const topics = textsAt(item, 'topics')
        return {
          organization: textAt(item, 'namespace.full_path'),
          name: textAt(item, 'path'),
          id: textAt(item, 'id'),
          cloneUrls: { ssh: textAt(item, 'ssh_url_to_repo'), https: textAt(item, 'http_url_to_repo') },
          defaultBranch: optionalTextAt(item, 'default_branch') ?? '',
          // Before 14.5 GitLab called them tags.
          topics: topics.length > 0 ? topics : textsAt(item, 'tag_list'),
          isArchived: isTrueAt(item, 'archived'),
        }
      })
    },
    labels: ({ topics }) => Promise.resolve(topics),
    branches: async ({ id, defaultBranch }) => {
      const path = ['projects', id, 'repository', 'branches']
      const read = (item: unknown) => ({ name: textAt(item, 'name'), sha: textAt(item, 'commit.id') })
      if (!allBranches && defaultBranch === '') return []
      try {
        if (allBranches) return await api.all({ path, query: pageSize }, read)
        return [await api.one({ path: [...path, defaultBranch] }, read)]
      } catch (error) {
        if (error instanceof NotFoundError) return []
        throw error
      }
    },
    hasPath: async ({ id }, branch, path) => {
      const repository = ['projects', id, 'repository']
      const isFile = await api.has({ path: [...repository, 'files', path], query: { ref: branch } }, 'HEAD')
      return isFile || isDirectory(api, [...repository, 'tree'], branch, path)
    },
  }
}

/** Older releases answer with an empty list where newer ones say that there is no such directory. */
async function isDirectory(
  api: ForgeApi,
  tree: readonly string[],
  branch: string,
  path: string,
): Promise<boolean> {
  const place = { path: tree, query: { path, ref: branch, per_page: '1' } }
  return (await api.find(place, (body) => Array.isArray(body) && body.length > 0)) ?? false
}

/** The merge requests of a project of GitLab, which selects them by label and state itself. */
export const gitlabPullRequests: GeneratorSource<PullRequestSource> = {
  field: 'gitlab',
  read: (reader, fields, at) => {
    const labels = reader.strings(fields, 'labels', at)
    const path = ['projects', reader.requiredString(fields, 'project', at)]
    const state = reader.string(fields, 'pullRequestState', at) ?? ''
    const query = {
      ...pageSize,
      ...(labels.length > 0 && { labels: labels.join(',') }),
      ...(state !== '' && { state }),
    }
    return (api) => ({
      cloneUrls: async () =>
        api.one({ path }, (body) => [textAt(body, 'http_url_to_repo'), textAt(body, 'ssh_url_to_repo')]),
      pullRequests: async () =>
        api.all({ path: [...path, 'merge_requests'], query }, (item) => ({
          number: textAt(item, 'iid'),
          title: textAt(item, 'title'),
          branch: textAt(item, 'source_branch'),
          targetBranch: textAt(item, 'target_branch'),
          headSha: optionalTextAt(item, 'sha') ?? '',
          author: optionalTextAt(item, 'author.username') ?? '',
          labels: textsAt(item, 'labels'),
        })),
    })
  },
}
