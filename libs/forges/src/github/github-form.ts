import type { ForgeBranch, PullRequest, PullRequestSource } from '../forge-answers.ts'
import type { ForgeApi } from '../forge-api.ts'
import { optionalTextAt, textAt, textsAt } from '../forge-values.ts'
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

/**
 * The branches of a repository.
 * @param only the name of the default branch, undefined for all branches
 * @param shaAt where a branch has the id of its commit
 */
export async function branchesOf(
  api: ForgeApi,
  { owner, name }: { owner: string; name: string },
  only: string | undefined,
  { query, shaAt }: { query: Readonly<Record<string, string>>; shaAt: 'commit.sha' | 'commit.id' },
): Promise<ForgeBranch[]> {
  const path = ['repos', owner, name, 'branches']
  const read = (item: unknown) => ({ name: textAt(item, 'name'), sha: textAt(item, shaAt) })
  if (only === undefined) return api.all({ path, query }, read)
  if (only === '') return []
  // The name is there before the first commit is.
  const found = await api.find({ path: [...path, only] }, read)
  return found ? [found] : []
}

/** Returns true if a branch has a file or directory. */
export async function hasContents(
  api: ForgeApi,
  { owner, name }: { owner: string; name: string },
  branch: string,
  path: string,
): Promise<boolean> {
  return api.has(
    { path: ['repos', owner, name, 'contents', ...path.split('/')], query: { ref: branch } },
    'GET',
  )
}
