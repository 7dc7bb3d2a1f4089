import type { ForgeRepository, PullRequest, PullRequestSource, RepositorySource } from '../forge-answers.ts'
import type { ForgeApi } from '../forge-api.ts'
import { isTrueAt, optionalTextAt, textAt, textsAt } from '../forge-values.ts'
import type { GeneratorSource } from '../forge.ts'

// The API of GitHub, as far as those of Gitea and Forgejo have its form.

/** The open pull requests of a repository for a generator; `query` asks for pages of the forge's size. */
export function pullRequestsIn(
  field: string,
  query: Readonly<Record<string, string>>,
): GeneratorSource<PullRequestSource> {
  return {
    field,
    read: (reader, fields, at) => {
      const labels = reader.strings(fields, 'labels', at)
      const owner = reader.requiredString(fields, 'owner', at)
      const path = ['repos', owner, reader.requiredString(fields, 'repo', at)]
      return (api) => ({
        cloneUrls: async () =>
          api.one({ path }, (body) => [textAt(body, 'clone_url'), textAt(body, 'ssh_url')]),
        pullRequests: async () => {
          const all = await api.all({ path: [...path, 'pulls'], query }, pullRequestAt)
          return all.filter((found) => labels.every((label) => found.labels.includes(label)))
        },
      })
    },
  }
}

function pullRequestAt(item: unknown): PullRequest {
  return {
    number: textAt(item, 'number'),
    title: textAt(item, 'title'),
    branch: textAt(item, 'head.ref'),
    targetBranch: textAt(item, 'base.ref'),
    headSha: textAt(item, 'head.sha'),
    author: optionalTextAt(item, 'user.login') ?? '',
    labels: textsAt(item, 'labels'),
  }
}

/** The answers about an organisation in which forges of this form differ. */
interface OrganizationForm {
  readonly field: string
  /** The field of the generator that names the organisation. */
  readonly ownerField: string
  /** Asks for pages of the forge's size. */
  readonly query: Readonly<Record<string, string>>
  /** The place of the commit's id in a branch. */
  readonly shaAt: 'commit.sha' | 'commit.id'
  /** The place of the HTTPS URL in a repository. */
  readonly httpsAt: string
  readonly repository: (item: unknown, owner: string) => Pick<ForgeRepository, 'organization' | 'topics'>
  readonly labels: (api: ForgeApi, repository: ForgeRepository) => Promise<readonly string[]>
}

/** The repositories of an organisation for a generator. */
export function repositoriesIn(form: OrganizationForm): GeneratorSource<RepositorySource> {
  const { field, query, shaAt } = form
  return {
    field,
    read: (reader, fields, at) => {
      const allBranches = reader.boolean(fields, 'allBranches', at) ?? false
      const excludeArchivedRepos = reader.boolean(fields, 'excludeArchivedRepos', at) ?? false
      const owner = reader.requiredString(fields, form.ownerField, at)
      return (api) => ({
        repositories: async () => {
          const all = await api.all({ path: ['orgs', owner, 'repos'], query }, (item) => ({
            ...form.repository(item, owner),
            name: textAt(item, 'name'),
            id: textAt(item, 'id'),
            cloneUrls: { ssh: textAt(item, 'ssh_url'), https: textAt(item, form.httpsAt) },
            defaultBranch: optionalTextAt(item, 'default_branch') ?? '',
            isArchived: isTrueAt(item, 'archived'),
          }))
          return all.filter(({ isArchived }) => !(excludeArchivedRepos && isArchived))
        },
        labels: (repository) => form.labels(api, repository),
        branches: async ({ organization, name, defaultBranch }) => {
          const path = ['repos', organization, name, 'branches']
          const read = (item: unknown) => ({ name: textAt(item, 'name'), sha: textAt(item, shaAt) })
          if (allBranches) return api.all({ path, query }, read)
          if (defaultBranch === '') return []
          // The name is there before the first commit is.
          const found = await api.find({ path: [...path, defaultBranch] }, read)
          return found ? [found] : []
        },
        hasPath: ({ organization, name }, branch, path) =>
          api.has(
            {
              path: ['repos', organization, name, 'contents', ...path.split('/')],
              query: { ref: branch },
            },
            'GET',
          ),
      })
    },
  }
}
