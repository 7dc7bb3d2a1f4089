import { runTestGit } from '@wadi/testing/test-git.ts'
import {
  headOf,
  mergeInGit,
  newPull,
  notFound,
  type StandInAnswer,
  type StandInPull,
  type StandInRequest,
  type StandInState,
} from '../pull-requests/forge-state-fixture.ts'
import { absent, identity, idOf, list, refusal } from './azure-devops-answers-fixture.ts'
import { azureDevOpsThreads } from './azure-devops-threads-fixture.ts'

/** Members of the one team of the project. */
const accounts = ['ada', 'bob', 'wadi-bot']

const projectId = 'a7573007-bbb3-4341-b726-0c4148a07853'
const repositoryId = '3411ebc1-d5aa-464f-9615-0b527bc66719'

/** Answers as an organization of Azure DevOps, below its address. */
export async function azureDevOpsRoutes(
  state: StandInState,
  request: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const [first, second] = request.path
  if (first === '_apis' && second === 'projects') return teams(state, request)
  const [project, , area, kind, name, ...path] = request.path
  if (project !== state.owner) return refusal(404, `TF200016: The project ${project} does not exist`)
  if (area === 'policy') return list(state.policies, request)
  if (kind === 'repositories' && name === undefined) return list([repositoryJson(state, address)], request)
  if (kind !== 'repositories' || (name !== state.name && name !== repositoryId)) return absent
  const below = { ...request, path }
  const [what, id = '', part] = path
  if (what === undefined) return { status: 200, body: repositoryJson(state, address) }
  if (what === 'refs') return refs(state, below)
  if (what === 'items') return item(state, below)
  if (what === 'commits') return commitStatus(state, below)
  if (id === '') {
    if (request.method === 'POST') return openPull(state, below, address)
    return pulls(state, below, address)
  }
  const pull = state.pulls.find(({ number }) => String(number) === id)
  if (!pull) return refusal(404, `TF401180: The requested pull request was not found.`)
  if (part === 'threads') return azureDevOpsThreads(state, pull, below)
  if (part === 'iterations') return iterations(state, pull, below)
  if (part === 'statuses') return pullStatus(state, below)
  if (part === 'labels') return addLabel(pull, below)
  if (part === 'reviewers') return addReviewer(pull, below)
  if (request.method === 'PATCH') {
    const refused = await change(state, pull, request.body)
    if (refused) return refused
  }
  return { status: 200, body: await pullJson(state, pull, address) }
}

function repositoryJson(state: StandInState, address: string) {
  const { owner, name } = state
  return {
    id: repositoryId,
    name,
    url: `${address}/_apis/git/repositories/${repositoryId}`,
    project: { id: projectId, name: owner, visibility: state.isPrivate ? 'private' : 'public' },
    defaultBranch: 'refs/heads/main',
    remoteUrl: `https://contoso@dev.azure.com/contoso/${encodeURIComponent(owner)}/_git/${encodeURIComponent(name)}`,
    sshUrl: `git@ssh.dev.azure.com:v3/contoso/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`,
    isDisabled: false,
  }
}

/** One ref on each page. */
async function refs({ directory }: StandInState, { query }: StandInRequest): Promise<StandInAnswer> {
  const format = '--format=%(refname) %(objectname)'
  const all = (await runTestGit(directory, ['for-each-ref', format])).trim().split('\n')
  const found = all
    .map((line) => line.split(' '))
    .flatMap(([name = '', objectId]) => {
      return name.startsWith(`refs/${query.get('filter')}`) ? [{ name, objectId }] : []
    })
  const at = Number(query.get('continuationToken') ?? 0)
  const next = at + 1 < found.length ? { 'x-ms-continuationtoken': String(at + 1) } : undefined
  return { status: 200, body: { value: found.slice(at, at + 1), count: 1 }, ...(next && { headers: next }) }
}

async function item({ directory }: StandInState, { query }: StandInRequest): Promise<StandInAnswer> {
  const path = query.get('scopePath')?.slice(1) ?? ''
  const branch = query.get('versionDescriptor.version') ?? ''
  const found = await runTestGit(directory, ['ls-tree', `refs/heads/${branch}`, '--', path])
  if (found === '') return refusal(404, `TF401174: The item '${path}' could not be found`)
  return { status: 200, body: { value: [{ path }], count: 1 } }
}

function teams({ owner }: StandInState, request: StandInRequest): StandInAnswer {
  const [, , project, , team, members] = request.path
  if (project !== owner) return refusal(404, `TF200016: The project ${project} does not exist`)
  if (members === undefined) return list([{ id: idOf('team'), name: 'Shop Team' }], request)
  if (team !== idOf('team')) return notFound
  return list(
    accounts.map((name) => ({ identity: identity(name) })),
    request,
  )
}

async function pulls(state: StandInState, request: StandInRequest, address: string): Promise<StandInAnswer> {
  const wanted = (key: string, ref: string) =>
    (request.query.get(`searchCriteria.${key}`) ?? `refs/heads/${ref}`) === `refs/heads/${ref}`
  const open = state.pulls
    .filter((pull) => pull.state === 'open')
    .filter((pull) => wanted('sourceRefName', pull.head) && wanted('targetRefName', pull.base))
  const all = await Promise.all(open.map((pull) => pullJson(state, pull, address)))
  return list(
    all.map((pull) => ({ ...pull, description: pull.description.slice(0, 400) })),
    request,
  )
}

async function openPull(
  state: StandInState,
  { body }: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const text = (key: string) => String(body[key]).replace('refs/heads/', '')
  const [head, base] = [text('sourceRefName'), text('targetRefName')]
  if (text('description').length > 4_000) return refusal(400, 'The description is too long.')
  if (state.pulls.some((pull) => pull.state === 'open' && pull.head === head && pull.base === base)) {
    return refusal(409, 'TF401179: An active pull request for the source and target branch already exists.')
  }
  const pull = newPull(state, { title: text('title'), body: text('description'), head, base })
  return { status: 201, body: await pullJson(state, pull, address) }
}

async function change(
  state: StandInState,
  pull: StandInPull,
  body: Record<string, unknown>,
): Promise<StandInAnswer | undefined> {
  if (body['status'] === 'active' && !pull.isMerged) pull.state = 'open'
  if (pull.state !== 'open')
    return refusal(409, 'TF401181: The pull request cannot be edited due to its state.')
  if (typeof body['title'] === 'string') pull.title = body['title']
  if (typeof body['description'] === 'string') pull.body = body['description']
  if (body['status'] === 'abandoned') pull.state = 'closed'
  if (body['status'] !== 'completed') return undefined
  const { commitId } = body['lastMergeSourceCommit'] as { commitId: string }
  if (commitId !== (await headOf(state, pull)) || state.blockedBy !== undefined) {
    return refusal(409, 'TF401192: Newer commits are not yet merged, or it cannot be completed.')
  }
  if (!state.completesLater) await mergeInGit(state, pull)
  return undefined
}

function commitStatus(
  state: StandInState,
  { method, path, body, ...request }: StandInRequest,
): StandInAnswer {
  const [, sha = ''] = path
  if (method === 'POST') {
    state.statuses.unshift(statusOf(sha, body))
    return { status: 201, body }
  }
  const own = state.statuses.filter((status) => status.sha === sha)
  const newest = [...new Map(own.toReversed().map((status) => [status.context, status])).values()]
  const all = newest.map(({ context, state: word, description, target_url: targetUrl }) => {
    const [genre, name] = context.split('/')
    return {
      context: name === undefined ? { name: genre } : { genre, name },
      state: word,
      description,
      targetUrl,
    }
  })
  return list(all, { ...request, method, path, body })
}

function statusOf(sha: string, body: Record<string, unknown>): StandInState['statuses'][number] {
  const { genre, name } = body['context'] as { genre?: string; name: string }
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : '')
  const context = genre === undefined ? name : `${genre}/${name}`
  return {
    sha,
    context,
    state: text('state'),
    description: text('description'),
    target_url: text('targetUrl'),
  }
}

/** That of a pull request is at a push, as an iteration. */
function pullStatus(state: StandInState, { path: [, id], body }: StandInRequest): StandInAnswer {
  state.pullStatuses.push({ ...statusOf('', body), pull: Number(id), iteration: Number(body['iterationId']) })
  return { status: 201, body }
}

async function iterations(
  state: StandInState,
  pull: StandInPull,
  request: StandInRequest,
): Promise<StandInAnswer> {
  const sha = await headOf(state, pull)
  const earlier = { id: 1, sourceRefCommit: { commitId: '0'.repeat(40) } }
  return list([earlier, { id: 2, sourceRefCommit: { commitId: sha } }], request)
}

function addLabel(pull: StandInPull, { body }: StandInRequest): StandInAnswer {
  pull.labels.push(String(body['name']))
  return { status: 200, body: { id: '1', name: body['name'], active: true } }
}

function addReviewer(pull: StandInPull, { path }: StandInRequest): StandInAnswer {
  const name = accounts.find((account) => idOf(account) === path[3])
  if (name === undefined) return refusal(404, 'TF401182: The reviewer is unknown')
  pull.requestedReviewers.push(name)
  return { status: 200, body: identity(name) }
}

async function pullJson(state: StandInState, pull: StandInPull, address: string) {
  const { visibility: _visibility, ...project } = repositoryJson(state, address).project
  const { id, name, url } = repositoryJson(state, address)
  const [forkProject, forkName] = pull.fork?.repository.split('/') ?? []
  const sha = await headOf(state, pull)
  const reviewers = [...new Set([...pull.requestedReviewers, ...pull.reviews])]
  const words: Readonly<Record<string, string>> = { dirty: 'conflicts', unstable: 'queued' }
  return {
    pullRequestId: pull.number,
    title: pull.title,
    description: pull.body,
    status: pull.isMerged ? 'completed' : pull.state === 'open' ? 'active' : 'abandoned',
    isDraft: pull.isDraft,
    creationDate: '2026-01-01T09:00:00.123Z',
    createdBy: identity(pull.author),
    sourceRefName: `refs/heads/${pull.head}`,
    targetRefName: `refs/heads/${pull.base}`,
    mergeStatus: state.blockedBy === undefined ? 'succeeded' : (words[state.blockedBy] ?? 'failure'),
    ...(sha !== '' && { lastMergeSourceCommit: { commitId: sha } }),
    repository: { id, name, url, project },
    ...(pull.fork && {
      forkSource: {
        name: `refs/heads/${pull.head}`,
        repository: { id: 'f', name: forkName, project: { id: 'p', name: forkProject } },
      },
    }),
    labels: pull.labels.map((label) => ({ id: label, name: label, active: true })),
    reviewers: reviewers.map((reviewer) => ({ ...identity(reviewer), vote: 0 })),
  }
}
