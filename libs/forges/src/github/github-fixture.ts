import { type ForgeData, type PullData, hasPath } from '../forge-data-fixture.ts'
import { type ForgeReply, type ForgeServer, startForgeServer } from '../forge-server-fixture.ts'

/** Starts a GitHub Enterprise Server with one organisation. */
export async function startGithub(
  organization: string,
  repositories: readonly ForgeData[],
  options: { wantsToken?: boolean; maxItems?: number; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  return startForgeServer(
    {
      answer: ([api, version, ...path]) =>
        api === 'api' && version === 'v3' ? answer(organization, repositories, path) : undefined,
      token: ({ headers }) => headers.authorization?.replace(/^Bearer /, ''),
      pageSizeParameter: 'per_page',
      maxItems: options.maxItems ?? 100,
      pageHeaders: ({ request, path, next }): Record<string, string> =>
        next === undefined
          ? {}
          : {
              link: `<http://${request.headers.host}${path}${next}>; rel="next", <http://${request.headers.host}${path}?page=99>; rel="last"`,
            },
    },
    options,
  )
}

function answer(
  organization: string,
  repositories: readonly ForgeData[],
  [kind, owner, name, ...rest]: readonly string[],
): ForgeReply | undefined {
  if (owner !== organization) return undefined
  if (kind === 'orgs' && name === 'repos') {
    return { items: repositories.map((repository) => repositoryJson(organization, repository)) }
  }
  const repository = repositories.find((known) => known.name === name)
  if (kind !== 'repos' || !repository) return undefined
  const [what, ...path] = rest
  if (what === undefined) return { body: repositoryJson(organization, repository) }
  if (what === 'branches') return branches(repository, path.join('/'))
  if (what === 'contents' && hasPath(repository, path.join('/'))) return { body: { name: path.at(-1) } }
  const open = (repository.pulls ?? []).filter(({ state = 'opened' }) => state === 'opened')
  return what === 'pulls' ? { items: open.map(pullJson) } : undefined
}

function branches({ branches: known }: ForgeData, only: string): ForgeReply | undefined {
  const items = Object.entries(known).map(([name, sha]) => ({ name, commit: { sha }, protected: false }))
  if (only === '') return { items }
  const body = items.find(({ name }) => name === only)
  return body && { body }
}

function repositoryJson(organization: string, { id, name, ...repository }: ForgeData) {
  return {
    id,
    name,
    full_name: `${organization}/${name}`,
    owner: { login: organization, type: 'Organization' },
    ssh_url: `git@github.example:${organization}/${name}.git`,
    clone_url: `https://github.example/${organization}/${name}.git`,
    default_branch: repository.defaultBranch,
    archived: repository.archived ?? false,
    topics: repository.labels ?? [],
  }
}

function pullJson({ number, title, branch, target, sha, author, labels = [] }: PullData) {
  return {
    number,
    title,
    state: 'open',
    user: author === undefined ? null : { login: author },
    labels: labels.map((name, id) => ({ id, name })),
    head: { ref: branch, sha, repo: null },
    base: { ref: target, sha: '0'.repeat(40) },
  }
}
