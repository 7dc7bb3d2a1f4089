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

type Forge = 'github' | 'gitea'

const done: StandInAnswer = { status: 200, body: {} }

/** Answers as GitHub, or as Gitea where that differs. */
export async function githubRoutes(
  forge: Forge,
  state: StandInState,
  request: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const { method, path, body } = request
  const [kind, id = '', what = ''] = path
  if (kind === undefined) return { status: 200, body: { private: state.isPrivate, visibility: 'private' } }
  if (kind === 'branches') return branchAnswer(state, id)
  if (kind === 'labels') return labels(state, request)
  if (kind === 'statuses') return putStatus(state, id, body, forge === 'github' ? 140 : 255)
  if (kind === 'check-runs') return checkRun(state, request)
  if (kind === 'commits') return what === 'status' ? statuses(forge, state, id) : checkRuns(state, request)
  if (kind === 'issues' && id === 'comments') return changeComment(state, what, body, address)
  if (kind === 'pulls' && id === '') return pulls(state, request, address)
  const pull = state.pulls.find(({ number }) => String(number) === id)
  if (!pull) return notFound
  if (kind === 'issues') return issue(state, pull, request, address)
  if (what === 'reviews') return { status: 200, body: pull.reviews.map((login) => ({ user: { login } })) }
  if (what === 'requested_reviewers') return addReviewers(pull, body)
  if (what === 'merge') return merge(forge, state, pull, body)
  if (method === 'PATCH') change(pull, body)
  return { status: 200, body: await pullJson(state, pull, address) }
}

async function pulls(state: StandInState, request: StandInRequest, address: string): Promise<StandInAnswer> {
  const { method, query, body } = request
  if (method === 'POST') return openPull(state, body, address)
  const [wantedHead, wantedBase] = [query.get('head'), query.get('base') ?? query.get('base_branch')]
  const found = state.pulls
    .filter((pull) => query.get('state') === 'all' || pull.state === (query.get('state') ?? 'open'))
    .filter((pull) => wantedHead === null || wantedHead === `${state.owner}:${pull.head}`)
    .filter((pull) => wantedBase === null || wantedBase === pull.base)
  return { status: 200, body: await Promise.all(found.map((pull) => pullJson(state, pull, address))) }
}

async function openPull(
  state: StandInState,
  body: Record<string, unknown>,
  address: string,
): Promise<StandInAnswer> {
  const { head, base, title, body: text } = body
  if (typeof head !== 'string' || typeof base !== 'string') return { status: 422, body: {} }
  const isOpen = state.pulls.some((pull) => pull.state === 'open' && pull.head === head && pull.base === base)
  const [headSha, baseSha] = [await state.git.head(head), await state.git.head(base)]
  if (isOpen || headSha === '' || baseSha === '' || headSha === baseSha) {
    return { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'cannot be opened' }] } }
  }
  const pull = newPull(state, { title: String(title), body: String(text), head, base })
  return { status: 201, body: await pullJson(state, pull, address) }
}

function change(pull: StandInPull, { title, body, state }: Record<string, unknown>): void {
  if (typeof title === 'string') pull.title = title
  if (typeof body === 'string') pull.body = body
  if (state === 'closed' || state === 'open') pull.state = state
}

async function merge(
  forge: Forge,
  state: StandInState,
  pull: StandInPull,
  body: Record<string, unknown>,
): Promise<StandInAnswer> {
  const sha = forge === 'github' ? body['sha'] : body['head_commit_id']
  if (pull.state !== 'open' || state.blockedBy !== undefined) {
    return { status: 405, body: { message: 'Pull Request is not mergeable' } }
  }
  if (sha !== undefined && sha !== (await headOf(state, pull))) {
    return { status: 409, body: { message: 'Head branch was modified' } }
  }
  await mergeInGit(state, pull)
  return done
}

/** GitHub knows accounts; `nobody` is none. */
function addReviewers(pull: StandInPull, { reviewers }: Record<string, unknown>): StandInAnswer {
  const names = (Array.isArray(reviewers) ? reviewers : []).map(String)
  if (names.includes('nobody')) return { status: 422, body: { message: 'Reviews may only be requested' } }
  pull.requestedReviewers = [...new Set([...pull.requestedReviewers, ...names])]
  return { status: 201, body: {} }
}

async function issue(
  state: StandInState,
  pull: StandInPull,
  { method, path, body }: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  if (path[2] === 'labels') {
    const names = Array.isArray(body['labels']) ? body['labels'].map(String) : []
    pull.labels = [...new Set([...pull.labels, ...names])]
    return { status: 200, body: pull.labels.map((name) => ({ name })) }
  }
  const json = (comment: StandInState['comments'][number]) => commentJson(state, comment, address)
  if (method === 'GET') {
    return { status: 200, body: state.comments.filter((one) => one.pull === pull.number).map(json) }
  }
  const id = state.comments.length + 100
  const comment = { id, pull: pull.number, body: String(body['body']), author: state.account }
  state.comments.push(comment)
  return { status: 201, body: json(comment) }
}

function changeComment(
  state: StandInState,
  id: string,
  body: Record<string, unknown>,
  address: string,
): StandInAnswer {
  const comment = state.comments.find((one) => String(one.id) === id)
  if (!comment) return notFound
  if (comment.author !== state.account) return { status: 403, body: { message: 'Must be the author' } }
  comment.body = String(body['body'])
  return { status: 200, body: commentJson(state, comment, address) }
}

function commentJson(
  { owner, name }: StandInState,
  { id, body, pull, author }: StandInState['comments'][number],
  address: string,
) {
  const html_url = `${address}/${owner}/${name}/pull/${pull}#issuecomment-${id}`
  return { id, body, html_url, user: { login: author } }
}

function labels(state: StandInState, { method, body }: StandInRequest): StandInAnswer {
  if (method === 'POST') state.labels.push(String(body['name']))
  const all = state.labels.map((name, id) => ({ id, name }))
  return method === 'POST' ? { status: 201, body: all.at(-1) } : { status: 200, body: all }
}

function putStatus(
  state: StandInState,
  sha: string,
  body: Record<string, unknown>,
  longest: number,
): StandInAnswer {
  const text = (key: string) => (typeof body[key] === 'string' ? body[key] : '')
  const [context, description] = [text('context'), text('description')]
  if (description.length > longest) return { status: 422, body: { message: 'description is too long' } }
  state.statuses.unshift({ sha, context, description, state: text('state'), target_url: text('target_url') })
  return { status: 201, body: {} }
}

/** The newest status of each context. */
function statuses(forge: Forge, state: StandInState, sha: string): StandInAnswer {
  const own = state.statuses.filter((status) => status.sha === sha)
  const newest = own.filter(
    (status, index) => own.findIndex((one) => one.context === status.context) === index,
  )
  const all = newest.map(({ state: word, ...rest }) => ({
    ...rest,
    ...(forge === 'github' ? { state: word } : { status: word }),
  }))
  const isGood = newest.every((status) => status.state === 'success')
  return {
    status: 200,
    body: { state: isGood ? 'success' : 'pending', total_count: all.length, statuses: all },
  }
}

function checkRun(state: StandInState, { method, path, body }: StandInRequest): StandInAnswer {
  if (method === 'PATCH') {
    const run = state.checkRuns.find(({ id }) => String(id) === path[1])
    if (!run) return notFound
    Object.assign(run.body, body)
    return { status: 200, body: { id: run.id } }
  }
  const id = state.checkRuns.length + 500
  state.checkRuns.push({ id, sha: String(body['head_sha']), body: { ...body } })
  return { status: 201, body: { id } }
}

function checkRuns(state: StandInState, { path, query }: StandInRequest): StandInAnswer {
  const runs = state.checkRuns
    .filter(({ sha, body }) => sha === path[1] && body['name'] === query.get('check_name'))
    .map(({ id, body }) => ({ id, name: body['name'], external_id: body['external_id'] ?? '' }))
  return { status: 200, body: { total_count: runs.length, check_runs: runs.toReversed() } }
}

async function pullJson(state: StandInState, pull: StandInPull, address: string) {
  const { owner, name, blockedBy } = state
  const full_name = `${owner}/${name}`
  return {
    number: pull.number,
    title: pull.title,
    body: pull.body,
    html_url: `${address}/${full_name}/pull/${pull.number}`,
    state: pull.state,
    merged: pull.isMerged,
    merged_at: pull.isMerged ? '2026-01-01T09:00:00Z' : null,
    draft: pull.isDraft,
    user: { login: pull.author },
    labels: pull.labels.map((label, id) => ({ id, name: label })),
    updated_at: '2026-01-01T09:00:00Z',
    head: {
      ref: pull.head,
      sha: await headOf(state, pull),
      repo: { full_name: pull.fork?.repository ?? full_name },
    },
    base: { ref: pull.base, repo: { full_name } },
    requested_reviewers: pull.requestedReviewers.map((login) => ({ login })),
    mergeable: blockedBy !== 'dirty',
    mergeable_state: blockedBy ?? 'clean',
  }
}
