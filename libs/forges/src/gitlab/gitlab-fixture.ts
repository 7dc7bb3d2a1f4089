import { type ForgeData, type PullData, hasPath } from '../forge-data-fixture.ts'
import { type ForgeReply, type ForgeServer, startForgeServer } from '../forge-server-fixture.ts'

/** Starts a GitLab with one group. */
export async function startGitlab(
  group: string,
  repositories: readonly ForgeData[],
  options: { wantsToken?: boolean; maxItems?: number; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  return startForgeServer(
    {
      answer: ([api, version, ...path], query) =>
        api === 'api' && version === 'v4' ? answer(group, repositories, path, query) : undefined,
      token: ({ headers }) => headers['private-token']?.toString(),
      pageSizeParameter: 'per_page',
      maxItems: options.maxItems ?? 100,
      pageHeaders: ({ page, next, total }) => ({
        'x-page': String(page),
        'x-next-page': next === undefined ? '' : String(page + 1),
        'x-total': String(total),
      }),
    },
    options,
  )
}

function answer(
  group: string,
  repositories: readonly ForgeData[],
  [kind, name, what, ...rest]: readonly string[],
  query: URLSearchParams,
): ForgeReply | undefined {
  if (kind === 'groups' && name === group && what === 'projects') {
    const topic = query.get('topic')
    const items = repositories
      .filter(
        ({ archived = false }) =>
          query.get('archived') === null || String(archived) === query.get('archived'),
      )
      .filter(({ labels = [] }) => topic === null || labels.includes(topic))
    return { items: items.map((repository) => projectJson(group, repository)) }
  }
  const repository = repositories.find((known) =>
    [String(known.id), `${group}/${known.name}`].includes(name ?? ''),
  )
  if (kind !== 'projects' || !repository) return undefined
  if (what === undefined) return { body: projectJson(group, repository) }
  if (what === 'merge_requests') {
    const wanted = (query.get('labels') ?? '').split(',').filter((label) => label !== '')
    const state = query.get('state')
    const items = (repository.pulls ?? [])
      .filter(({ labels = [] }) => wanted.every((label) => labels.includes(label)))
      .filter((pull) => state === null || (pull.state ?? 'opened') === state)
    return { items: items.map(mergeRequestJson) }
  }
  const [part, ...path] = rest
  if (part === 'branches') return branches(repository, path.join('/'))
  if (part === 'files') return repository.files?.includes(path.join('/')) ? { body: {} } : undefined
  const directory = query.get('path') ?? ''
  const hasDirectory = part === 'tree' && hasPath(repository, directory)
  return hasDirectory ? { items: [{ path: `${directory}/file`, type: 'blob' }] } : undefined
}

function branches({ branches: known }: ForgeData, only: string): ForgeReply | undefined {
  const items = Object.entries(known).map(([name, id]) => ({
    name,
    commit: { id, short_id: id.slice(0, 8) },
  }))
  if (only === '') return { items }
  const body = items.find(({ name }) => name === only)
  return body && { body }
}

function projectJson(group: string, { id, name, ...repository }: ForgeData) {
  return {
    id,
    path: name,
    path_with_namespace: `${group}/${name}`,
    namespace: { full_path: group, kind: 'group' },
    ssh_url_to_repo: `git@gitlab.example:${group}/${name}.git`,
    http_url_to_repo: `https://gitlab.example/${group}/${name}.git`,
    default_branch: Object.keys(repository.branches).length > 0 ? repository.defaultBranch : null,
    archived: repository.archived ?? false,
    topics: repository.labels ?? [],
  }
}

function mergeRequestJson({
  number,
  title,
  branch,
  target,
  sha,
  author,
  labels = [],
  state = 'opened',
}: PullData) {
  return {
    id: 1000 + number,
    iid: number,
    title,
    state,
    source_branch: branch,
    target_branch: target,
    sha,
    author: author === undefined ? null : { username: author },
    labels,
  }
}
