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

/** The accounts that the stand-in knows, without a name that is one for all. */
const members = ['ada', 'bob', 'wadi-bot']

const accountJson = (name: string) => ({ type: 'user', uuid: `{${name}}`, nickname: name })

const paged = (values: readonly unknown[]): StandInAnswer => ({
  status: 200,
  body: { values, page: 1, size: values.length, pagelen: 50 },
})

const failure = (status: number, message: string): StandInAnswer => ({
  status,
  body: { type: 'error', error: { message } },
})

/** Answers as Bitbucket Cloud below a repository, or with the members of its workspace. */
export async function bitbucketRoutes(
  state: StandInState,
  request: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const [kind, id = '', what = ''] = request.path
  if (kind === undefined) return { status: 200, body: { is_private: state.isPrivate } }
  if (kind === 'user') return { status: 200, body: accountJson(state.account) }
  if (kind === 'members') return paged(members.map((name) => ({ user: accountJson(name) })))
  if (kind === 'commit') {
    // The commits of forks are not those of the repository.
    const known = await commit(state, id)
    if (known === notFound) return notFound
    if (what === 'statuses') return buildStatus(state, request)
    return what === 'reports' ? report(state, request) : known
  }
  if (kind !== 'pullrequests') return notFound
  if (id === '') return request.method === 'POST' ? openPull(state, request, address) : list(state, address)
  const pull = state.pulls.find(({ number }) => String(number) === id)
  if (!pull) return notFound
  if (what === 'comments') return comments(state, pull, request, address)
  if (what === 'statuses') return statusesOf(state, pull)
  if (what === 'commits') return paged([{ type: 'commit', hash: await headOf(state, pull) }])
  if (what === 'merge') return merge(state, pull)
  if (what === 'decline') pull.state = 'closed'
  if (request.method === 'PUT') change(pull, request.body)
  return { status: 200, body: await pullJson(state, pull, address) }
}

async function commit({ directory }: StandInState, id: string): Promise<StandInAnswer> {
  const hash = await runTestGit(directory, ['rev-parse', '--verify', '--quiet', `${id}^{commit}`]).catch(
    () => '',
  )
  return hash === '' ? notFound : { status: 200, body: { type: 'commit', hash: hash.trim() } }
}

async function list(state: StandInState, address: string): Promise<StandInAnswer> {
  const open = state.pulls.filter((pull) => pull.state === 'open')
  return paged(await Promise.all(open.map((pull) => pullJson(state, pull, address))))
}

async function openPull(
  state: StandInState,
  { body }: StandInRequest,
  address: string,
): Promise<StandInAnswer> {
  const { source, destination, title, description } = body as {
    source: { branch: { name: string } }
    destination: { branch: { name: string } }
    title: string
    description: string
  }
  const parts = { title, body: description, head: source.branch.name, base: destination.branch.name }
  return { status: 201, body: await pullJson(state, newPull(state, parts), address) }
}

function change(pull: StandInPull, body: Record<string, unknown>): void {
  if (typeof body['title'] === 'string') pull.title = body['title']
  if (typeof body['description'] === 'string') pull.body = body['description']
  const wanted: unknown[] = Array.isArray(body['reviewers']) ? body['reviewers'] : []
  const names = wanted.map((one) => (one as { uuid: string }).uuid.slice(1, -1))
  pull.requestedReviewers = names.filter((name) => !pull.reviews.includes(name))
}

async function merge(state: StandInState, pull: StandInPull): Promise<StandInAnswer> {
  if (pull.state !== 'open') return failure(400, 'You cannot merge a pull request that is not open')
  if (state.blockedBy !== undefined) return failure(400, 'There are conflicts: resolve them first')
  await mergeInGit(state, pull)
  return { status: 200, body: {} }
}

function buildStatus(
  state: StandInState,
  { method, path: [, sha = '', , , key], body }: StandInRequest,
): StandInAnswer {
  if (method === 'POST') {
    const [name, description] = [String(body['name']), String(body['description'])]
    if (description.length > 255) return failure(400, 'description is too long')
    const known = state.statuses.findIndex((status) => status.sha === sha && status.context === name)
    if (known !== -1) state.statuses.splice(known, 1)
    const parts = { state: String(body['state']), target_url: String(body['url']) }
    state.statuses.unshift({ sha, context: name, description, ...parts })
    return { status: 201, body: {} }
  }
  const found = state.statuses.find(
    (status) => status.sha === sha && status.context.replaceAll('/', '-') === key,
  )
  if (!found) return notFound
  const { context, state: word, description, target_url: url } = found
  return { status: 200, body: { type: 'build', key, name: context, state: word, description, url } }
}

async function statusesOf(state: StandInState, pull: StandInPull): Promise<StandInAnswer> {
  const head = await headOf(state, pull)
  return paged(state.statuses.filter(({ sha }) => sha === head).map(({ state: word }) => ({ state: word })))
}

/** A report and its annotations are one entry, as check runs of GitHub are. */
function report(
  state: StandInState,
  { method, path: [, sha = '', , key = '', what], body }: StandInRequest,
): StandInAnswer {
  const known = state.checkRuns.find((run) => run.sha === sha && run.body['key'] === key)
  if (method === 'PUT') {
    if (known) Object.assign(known.body, body)
    else state.checkRuns.push({ id: state.checkRuns.length + 1, sha, body: { ...body, key } })
    return { status: 200, body }
  }
  if (!known) return notFound
  if (method === 'DELETE') {
    state.checkRuns.splice(state.checkRuns.indexOf(known), 1)
    return { status: 204 }
  }
  if (what === 'annotations') known.body['annotations'] = body
  return { status: 200, body: known.body }
}

function comments(
  state: StandInState,
  pull: StandInPull,
  { method, path: [, , , id], body }: StandInRequest,
  address: string,
): StandInAnswer {
  const json = (one: StandInState['comments'][number]) => ({
    id: one.id,
    content: { raw: one.body },
    user: accountJson(one.author),
    links: { html: { href: `${address}/pull-requests/${pull.number}#comment-${one.id}` } },
  })
  if (method === 'GET') {
    const line = { id: 1, content: { raw: '[//]: # (wadi:diff)' }, inline: { path: 'a.txt', to: 1 } }
    return paged([line, ...state.comments.filter((one) => one.pull === pull.number).map(json)])
  }
  const raw = (body['content'] as { raw: string }).raw
  if (method === 'POST') {
    const comment = { id: state.comments.length + 100, pull: pull.number, body: raw, author: state.account }
    state.comments.push(comment)
    return { status: 201, body: json(comment) }
  }
  const comment = state.comments.find((one) => String(one.id) === id)
  if (!comment) return notFound
  if (comment.author !== state.account) return failure(403, 'You cannot change this comment')
  comment.body = raw
  return { status: 200, body: json(comment) }
}

async function pullJson(state: StandInState, pull: StandInPull, address: string) {
  const { owner, name } = state
  const own = `${owner}/${name}`
  return {
    type: 'pullrequest',
    id: pull.number,
    title: pull.title,
    description: pull.body,
    state: pull.isMerged ? 'MERGED' : pull.state === 'open' ? 'OPEN' : 'DECLINED',
    draft: pull.isDraft,
    author: accountJson(pull.author),
    updated_on: '2026-01-01T09:00:00.000000+00:00',
    links: { html: { href: `${address}/${own}/pull-requests/${pull.number}` } },
    reviewers: [...new Set([...pull.requestedReviewers, ...pull.reviews])].map(accountJson),
    source: {
      branch: { name: pull.head },
      commit: { hash: (await headOf(state, pull)).slice(0, 12) },
      repository: { full_name: pull.fork?.repository ?? own },
    },
    destination: { branch: { name: pull.base }, repository: { full_name: own } },
  }
}
