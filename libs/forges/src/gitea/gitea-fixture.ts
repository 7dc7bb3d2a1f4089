import { type ForgeData, type PullData, hasPath } from '../forge-data-fixture.ts'
import { type ForgeReply, type ForgeServer, startForgeServer } from '../forge-server-fixture.ts'

/** Starts a Gitea with one organisation; it believes to be reached under another name, as behind a proxy. */
export async function startGitea(
  owner: string,
  repositories: readonly ForgeData[],
  options: { wantsToken?: boolean; maxItems?: number; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  return startForgeServer(
    {
      answer: ([api, version, ...path]) =>
        api === 'api' && version === 'v1' ? answer(owner, repositories, path) : undefined,
      token: ({ headers }) => headers.authorization?.replace(/^token /, ''),
      pageSizeParameter: 'limit',
      maxItems: options.maxItems ?? 50,
      pageHeaders: ({ path, next, total }): Record<string, string> => ({
        'x-total-count': String(total),
        ...(next !== undefined && {
          link: `<https://gitea.example${path}${next}>; rel="next",<https://gitea.example${path}?page=9>; rel="last"`,
        }),
      }),
    },
    options,
  )
}

function answer(
  owner: string,
  repositories: readonly ForgeData[],
  [kind, wanted, name, ...rest]: readonly string[],
): ForgeReply | undefined {
  if (wanted !== owner) return undefined
  if (kind === 'orgs' && name === 'repos') {
    return { items: repositories.map((repository) => repositoryJson(owner, repository)) }
  }
  const repository = repositories.find((known) => known.name === name)
  if (kind !== 'repos' || !repository) return undefined
  const [what, ...path] = rest
  if (what === undefined) return { body: repositoryJson(owner, repository) }
  if (what === 'labels') {
    return { items: (repository.labels ?? []).map((label, id) => ({ id, name: label })), hasNoLink: true }
  }
  if (what === 'branches') return branches(repository, path.join('/'))
  if (what === 'contents' && hasPath(repository, path.join('/'))) return { body: [{ name: 'file' }] }
  const open = (repository.pulls ?? []).filter(({ state = 'opened' }) => state === 'opened')
  return what === 'pulls' ? { items: open.map(pullJson) } : undefined
}

function branches({ branches: known }: ForgeData, only: string): ForgeReply | undefined {
  const items = Object.entries(known).map(([name, id]) => ({ name, commit: { id } }))
  if (only === '') return { items }
  const body = items.find(({ name }) => name === only)
  return body && { body }
}

function repositoryJson(owner: string, { id, name, ...repository }: ForgeData) {
  return {
    id,
    name,
    full_name: `${owner}/${name}`,
    owner: { login: owner },
    ssh_url: `git@gitea.example:${owner}/${name}.git`,
    clone_url: `https://gitea.example/${owner}/${name}.git`,
    html_url: `https://gitea.example/${owner}/${name}`,
    default_branch: repository.defaultBranch,
    archived: repository.archived ?? false,
    empty: Object.keys(repository.branches).length === 0,
  }
}

function pullJson({ number, title, branch, target, sha, author, labels = [] }: PullData) {
  return {
    number,
    title,
    state: 'open',
    user: author === undefined ? null : { login: author },
    labels: labels.map((name, id) => ({ id, name })),
    head: { ref: branch, sha },
    base: { ref: target },
  }
}
