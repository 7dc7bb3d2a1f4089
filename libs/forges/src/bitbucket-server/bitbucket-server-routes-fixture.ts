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

/** The accounts that the stand-in knows. */
const accounts = ['ada', 'bob', 'wadi-bot']

/** Entries of one page, so that a few of them are more than one. */
const pageLimit = 2

const refusal = (status: number, message: string): StandInAnswer => ({
  status,
  body: { errors: [{ context: null, message, exceptionName: 'com.atlassian.bitbucket.Exception' }] },
})

const page = (all: readonly unknown[], { query }: StandInRequest): StandInAnswer => {
  const start = Number(query.get('start') ?? 0)
  const end = start + Math.min(pageLimit, Number(query.get('limit') ?? 25))
  const isLastPage = end >= all.length
  const values = all.slice(start, end)
  return { status: 200, body: { values, isLastPage, start, ...(!isLastPage && { nextPageStart: end }) } }
}

/** Answers as Bitbucket Data Center. */
export async function bitbucketServerRoutes(
  state: StandInState,
  request: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const [part, , projects, owner, repos, name, ...path] = request.path
  if (part === 'build-status') return buildStats(state, request.path[4] ?? '')
  if (projects !== 'projects' || owner !== state.owner || repos !== 'repos' || name !== state.name) {
    return notFound
  }
  const below = { ...request, path }
  if (part === 'insights') return report(state, below)
  const [kind, id = '', what] = path
  if (kind === undefined) {
    const self = [{ href: `${address}/projects/${owner}/repos/${name}/browse` }]
    return { status: 200, body: { public: !state.isPrivate, links: { self } } }
  }
  if (kind === 'commits') return buildStatus(state, below)
  if (id === '') {
    if (request.method === 'POST') return openPull(state, below, address)
    const base = request.query.get('at')
    const open = state.pulls.filter(
      (pull) => pull.state === 'open' && `refs/heads/${pull.base}` === (base ?? `refs/heads/${pull.base}`),
    )
    return page(await Promise.all(open.map((pull) => pullJson(state, pull, address))), below)
  }
  const pull = state.pulls.find(({ number }) => String(number) === id)
  if (!pull) return notFound
  if (what === 'activities') return activities(state, pull, below)
  if (what === 'comments') return comments(state, pull, below)
  if (what === 'changes') return page([], below)
  if (what === 'merge') return merge(state, pull, below)
  if (what === 'participants') return addReviewer(pull, below)
  if (what === 'decline') pull.state = 'closed'
  if (what === 'reopen') pull.state = 'open'
  if (request.method === 'PUT') change(pull, request.body)
  return { status: 200, body: await pullJson(state, pull, address) }
}

async function openPull(
  state: StandInState,
  { body }: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const { fromRef, toRef, title, description } = body as Record<'fromRef' | 'toRef', { id: string }> &
    Record<'title' | 'description', string>
  const [head = '', base = ''] = [fromRef, toRef].map(({ id }) => id.replace('refs/heads/', ''))
  const pull = newPull(state, { title, body: description, head, base })
  return { status: 201, body: await pullJson(state, pull, address) }
}

/** Everything but the title is taken as it is, so that what is left out goes. */
function change(pull: StandInPull, body: Record<string, unknown>): void {
  const { title, description, reviewers } = body
  if (typeof title === 'string') pull.title = title
  pull.body = typeof description === 'string' ? description : ''
  const wanted: { user: { name: string } }[] = Array.isArray(reviewers) ? reviewers : []
  const names = wanted.map(({ user }) => user.name)
  pull.requestedReviewers = names.filter((name) => !pull.reviews.includes(name))
}

function addReviewer(pull: StandInPull, { body }: StandInRequest): StandInAnswer {
  const { name } = body['user'] as { name: string }
  if (!accounts.includes(name)) return refusal(409, `${name} is not a user`)
  pull.requestedReviewers.push(name)
  return { status: 200, body: { user: { name }, role: 'REVIEWER' } }
}

async function merge(
  state: StandInState,
  pull: StandInPull,
  { method, query }: StandInRequest,
): Promise<StandInAnswer> {
  const conflicted = state.blockedBy === 'dirty'
  if (method === 'GET')
    return { status: 200, body: { conflicted, outcome: conflicted ? 'CONFLICTED' : 'CLEAN', vetoes: [] } }
  if (query.get('version') !== '3' || conflicted)
    return refusal(409, 'You are attempting to modify a pull request based on out-of-date information')
  await mergeInGit(state, pull)
  return { status: 200, body: {} }
}

function buildStatus(
  state: StandInState,
  { method, path: [, sha = ''], query, body }: StandInRequest,
): StandInAnswer {
  if (method === 'POST') {
    const context = String(body['key'])
    const known = state.statuses.findIndex((status) => status.sha === sha && status.context === context)
    if (known !== -1) state.statuses.splice(known, 1)
    const parts = { state: String(body['state']), target_url: String(body['url']) }
    state.statuses.unshift({ sha, context, description: String(body['description']), ...parts })
    return { status: 204 }
  }
  const key = query.get('key') ?? ''
  const found = state.statuses.find((status) => status.sha === sha && status.context === key)
  if (!found) return notFound
  const { description, state: word, target_url: url } = found
  return { status: 200, body: { key, name: key, state: word, description, url } }
}

function buildStats(state: StandInState, sha: string): StandInAnswer {
  const count = (word: string) =>
    state.statuses.filter((status) => status.sha === sha && status.state === word).length
  const body = { successful: count('SUCCESSFUL'), inProgress: count('INPROGRESS'), failed: count('FAILED') }
  return { status: 200, body: { ...body, cancelled: count('CANCELLED'), unknown: count('UNKNOWN') } }
}

/** A report and its annotations are one entry, as check runs of GitHub are. */
function report(state: StandInState, { method, path, body }: StandInRequest): StandInAnswer {
  const [, sha = '', , key = '', what] = path
  const known = state.checkRuns.find((run) => run.sha === sha && run.body['key'] === key)
  if (method === 'PUT') {
    if (known) Object.assign(known.body, body)
    else state.checkRuns.push({ id: state.checkRuns.length + 1, sha, body: { ...body, key } })
    return { status: 200, body }
  }
  if (!known) return notFound
  if (method === 'DELETE') state.checkRuns.splice(state.checkRuns.indexOf(known), 1)
  if (what === 'annotations') known.body['annotations'] = body['annotations']
  return method === 'GET' ? { status: 200, body: known.body } : { status: 204 }
}

const commentJson = ({ id, body, author }: StandInState['comments'][number]) => ({
  id,
  version: 2,
  text: body,
  author: { name: author },
})

function activities(state: StandInState, pull: StandInPull, request: StandInRequest): StandInAnswer {
  const own = state.comments.filter((one) => one.pull === pull.number)
  const marked = { id: 1, version: 0, text: '[//]: # (wadi:diff)', author: { name: 'wadi-bot' } }
  const anchored = { action: 'COMMENTED', commentAnchor: { path: 'a.txt', line: 1 }, comment: marked }
  const written = own.map((one) => ({ action: 'COMMENTED', comment: commentJson(one) }))
  return page([{ action: 'OPENED' }, anchored, ...written], request)
}

function comments(
  state: StandInState,
  pull: StandInPull,
  { method, path, body }: StandInRequest,
): StandInAnswer {
  const [, , , id] = path
  const text = String(body['text'])
  if (method === 'POST') {
    const comment = { id: state.comments.length + 100, pull: pull.number, body: text, author: state.account }
    state.comments.push(comment)
    return { status: 201, body: commentJson(comment) }
  }
  const comment = state.comments.find((one) => String(one.id) === id)
  if (!comment) return notFound
  if (method === 'GET') return { status: 200, body: commentJson(comment) }
  if (comment.author !== state.account) return refusal(401, 'You are not permitted to access this resource')
  if (body['version'] !== 2)
    return refusal(409, 'You are attempting to modify a comment based on out-of-date information')
  comment.body = text
  return { status: 200, body: commentJson(comment) }
}

async function pullJson(state: StandInState, pull: StandInPull, address: string) {
  const { owner, name } = state
  const [forkOwner = owner, forkName = name] = pull.fork?.repository.split('/') ?? []
  const names = [...new Set([...pull.requestedReviewers, ...pull.reviews])]
  const self = [{ href: `${address}/projects/${owner}/repos/${name}/pull-requests/${pull.number}` }]
  return {
    id: pull.number,
    version: 3,
    title: pull.title,
    description: pull.body,
    state: pull.isMerged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    draft: pull.isDraft,
    updatedDate: Date.UTC(2026, 0, 1),
    author: { user: { name: pull.author } },
    reviewers: names.map((reviewer) => ({ user: { name: reviewer }, role: 'REVIEWER' })),
    links: { self },
    fromRef: {
      id: `refs/heads/${pull.head}`,
      displayId: pull.head,
      latestCommit: await headOf(state, pull),
      repository: { id: pull.fork ? 8 : 7, slug: forkName, project: { key: forkOwner } },
    },
    toRef: {
      id: `refs/heads/${pull.base}`,
      displayId: pull.base,
      repository: { id: 7, slug: name, project: { key: owner } },
    },
  }
}
