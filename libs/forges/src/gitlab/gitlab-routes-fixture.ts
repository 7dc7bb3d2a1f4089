import {
  branchAnswer,
  headOf,
  mergeInGit,
  newPull,
  notFound,
  type StandInAnswer,
  type StandInPull,
  type StandInRequest,
  type StandInState,
} from '../pull-requests/forge-state-fixture.ts'

/** Numbers of the accounts that the stand-in knows. */
const accounts: Readonly<Record<string, number>> = { ada: 1, bob: 2, 'wadi-bot': 3 }

/** Answers as GitLab below a project; `users` are below none. */
export async function gitlabRoutes(
  state: StandInState,
  { method, path, query, body }: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const [kind, id = '', what = '', note = ''] = path
  if (kind === undefined) return { status: 200, body: { visibility: state.isPrivate ? 'private' : 'public' } }
  if (kind === 'users') return users(query.get('username') ?? '')
  if (kind === 'repository' && id === 'branches') return branchAnswer(state, what)
  if (kind === 'repository') return statuses(state, what, query.get('name') ?? '')
  if (kind === 'statuses') return putStatus(state, id, body)
  if (kind !== 'merge_requests') return notFound
  if (id === '') return method === 'POST' ? openRequest(state, body, address) : list(state, query, address)
  const pull = state.pulls.find(({ number }) => String(number) === id)
  if (!pull) return notFound
  if (what === 'notes') return notes(state, pull, { method, id: note, body })
  if (what === 'merge') return merge(state, pull, body)
  if (method === 'PUT') change(pull, body)
  return { status: 200, body: await requestJson(state, pull, address) }
}

function users(name: string): StandInAnswer {
  const id = new Map(Object.entries(accounts)).get(name)
  return { status: 200, body: id === undefined ? [] : [{ id, username: name }] }
}

async function list(state: StandInState, query: URLSearchParams, address: string): Promise<StandInAnswer> {
  const [head, base] = [query.get('source_branch'), query.get('target_branch')]
  const found = state.pulls
    .filter((pull) => query.get('state') !== 'opened' || pull.state === 'open')
    .filter((pull) => (head === null || head === pull.head) && (base === null || base === pull.base))
  return { status: 200, body: await Promise.all(found.map((pull) => requestJson(state, pull, address))) }
}

async function openRequest(
  state: StandInState,
  { source_branch: head, target_branch: base, title, description }: Record<string, unknown>,
  address: string,
): Promise<StandInAnswer> {
  const [from, to] = [String(head), String(base)]
  const isOpen = state.pulls.some((pull) => pull.state === 'open' && pull.head === from && pull.base === to)
  if (isOpen || (await state.git.head(from)) === '') {
    return { status: 409, body: { message: ['Another open merge request already exists'] } }
  }
  const pull = newPull(state, { title: String(title), body: String(description), head: from, base: to })
  return { status: 201, body: await requestJson(state, pull, address) }
}

function change(pull: StandInPull, body: Record<string, unknown>): void {
  if (typeof body['title'] === 'string') pull.title = body['title']
  if (typeof body['description'] === 'string') pull.body = body['description']
  if (body['state_event'] === 'close') pull.state = 'closed'
  if (body['state_event'] === 'reopen') pull.state = 'open'
  const labels: unknown[] = Array.isArray(body['add_labels']) ? body['add_labels'] : []
  pull.labels = [...new Set([...pull.labels, ...labels.map(String)])]
  const ids: unknown[] = Array.isArray(body['reviewer_ids']) ? body['reviewer_ids'] : []
  if (ids.length > 0) {
    pull.requestedReviewers = Object.keys(accounts).filter((name) => ids.includes(accounts[name]))
  }
}

async function merge(
  state: StandInState,
  pull: StandInPull,
  { sha }: Record<string, unknown>,
): Promise<StandInAnswer> {
  if (pull.state !== 'open' || state.blockedBy !== undefined) return { status: 405, body: {} }
  if (sha !== (await headOf(state, pull)))
    return { status: 409, body: { message: 'SHA does not match HEAD' } }
  await mergeInGit(state, pull)
  return { status: 200, body: {} }
}

function notes(
  state: StandInState,
  pull: StandInPull,
  { method, id, body }: { method: string; id: string; body: Record<string, unknown> },
): StandInAnswer {
  const json = (comment: StandInState['comments'][number]) => ({
    id: comment.id,
    body: comment.body,
    author: { username: comment.author },
  })
  if (method === 'GET') {
    return { status: 200, body: state.comments.filter((one) => one.pull === pull.number).map(json) }
  }
  if (method === 'POST') {
    const number = state.comments.length + 100
    const comment = { id: number, pull: pull.number, body: String(body['body']), author: state.account }
    state.comments.push(comment)
    return { status: 201, body: json(comment) }
  }
  const comment = state.comments.find((one) => String(one.id) === id)
  if (!comment) return notFound
  if (comment.author !== state.account) return { status: 403, body: { message: '403 Forbidden' } }
  comment.body = String(body['body'])
  return { status: 200, body: json(comment) }
}

function putStatus(state: StandInState, sha: string, body: Record<string, unknown>): StandInAnswer {
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : '')
  const [context, description, word] = [text('name'), text('description'), text('state')]
  const known = state.statuses.find((status) => status.sha === sha && status.context === context)
  if (description.length > 255) return { status: 400, body: { message: 'description is too long' } }
  if (known?.state === word) {
    return { status: 400, body: { message: `Cannot transition status via :x from :${word}` } }
  }
  state.statuses.unshift({ sha, context, description, state: word, target_url: text('target_url') })
  return { status: 201, body: {} }
}

function statuses(state: StandInState, sha: string, name: string): StandInAnswer {
  const found = state.statuses.find((status) => status.sha === sha && status.context === name)
  if (!found) return { status: 200, body: [] }
  const { context, state: status, ...rest } = found
  return { status: 200, body: [{ ...rest, name: context, status }] }
}

async function requestJson(state: StandInState, pull: StandInPull, address: string) {
  const { owner, name, blockedBy } = state
  const words: Readonly<Record<string, string>> = { dirty: 'conflict', unstable: 'ci_still_running' }
  const reviewers = [...new Set([...pull.requestedReviewers, ...pull.reviews])]
  return {
    id: 1000 + pull.number,
    iid: pull.number,
    title: pull.title,
    description: pull.body,
    web_url: `${address}/${owner}/${name}/-/merge_requests/${pull.number}`,
    state: pull.isMerged ? 'merged' : pull.state === 'open' ? 'opened' : 'closed',
    draft: pull.isDraft,
    author: { username: pull.author },
    labels: pull.labels,
    updated_at: '2026-01-01T09:00:00Z',
    sha: (await headOf(state, pull)) || null,
    source_branch: pull.head,
    target_branch: pull.base,
    source_project_id: pull.fork ? 8 : 7,
    target_project_id: 7,
    reviewers: reviewers.map((username) => ({ id: accounts[username] ?? 9, username })),
    detailed_merge_status: blockedBy === undefined ? 'mergeable' : (words[blockedBy] ?? blockedBy),
  }
}
