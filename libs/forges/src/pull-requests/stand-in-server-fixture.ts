import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describedApi, violationsOf } from '../described-requests-fixture.ts'
import { bitbucketRoutes } from './bitbucket-routes-fixture.ts'
import { bitbucketServerRoutes } from './bitbucket-server-routes-fixture.ts'
import { githubRoutes } from './github-routes-fixture.ts'
import { gitlabRoutes } from './gitlab-routes-fixture.ts'
import { notFound, type StandInAnswer, type StandInState } from './forge-state-fixture.ts'

/** A forge on this machine that answers as the real one and accepts only requests that the real one describes. */
export interface StandInForge extends AsyncDisposable {
  /** For example `http://127.0.0.1:4711`. */
  address: string
  state: StandInState
  /** What was asked and how it ended, for example `POST /repos/acme/shop/pulls -> 201`. */
  log: string[]
  /** What requests had that the published description does not allow. */
  violations: string[]
  /** Answers that come in place of the true ones, the first one first. */
  rejections: { status: number; headers?: Record<string, string>; body?: string }[]
  /** Requests that are forbidden; none at first. */
  forbidden: (method: string, path: string) => boolean
}

/** The token that stand-ins want. */
export const standInToken = 'stand-in-token-2718'

const versionPaths = {
  github: '/api/v3',
  gitea: '/api/v1',
  gitlab: '/api/v4',
  bitbucket: '/2.0',
  'bitbucket-server': '/rest',
} as const

/** Starts a forge with one repository. */
export async function startStandInForge(
  forge: keyof typeof versionPaths,
  state: StandInState,
): Promise<StandInForge> {
  const description = describedApi(forge)
  const log: string[] = []
  const violations: string[] = []
  const rejections: StandInForge['rejections'] = []
  const answerTo = async (request: IncomingMessage): Promise<StandInAnswer> => {
    const url = new URL(request.url ?? '/', 'http://forge')
    const method = request.method ?? ''
    const sent = await text(request)
    const body: unknown = sent === '' ? undefined : JSON.parse(sent)
    const path = url.pathname.replace(versionPaths[forge], '')
    const found = violationsOf(description, { method, path, query: url.searchParams, body })
    violations.push(...found.map((violation) => `${method} ${path}: ${violation}`))
    if (found.length > 0) return { status: 422, body: { message: found.join('; ') } }
    const { authorization, 'private-token': token = authorization?.replace(/^(?:Bearer|token) /, '') } =
      request.headers
    if (token !== standInToken) {
      return { status: 401, body: { message: 'Bad credentials' } }
    }
    const decoded = path.slice(1).split('/').map(decodeURIComponent)
    const asked = { method, query: url.searchParams, body: Object(body ?? {}) }
    const address = `http://${request.headers.host}`
    if (forge === 'gitlab') {
      const [, project] = decoded
      const isOwn = decoded[0] === 'users' || project === `${state.owner}/${state.name}`
      const below = decoded[0] === 'users' ? decoded : decoded.slice(2)
      return isOwn ? gitlabRoutes(state, { ...asked, path: below }, address) : notFound
    }
    if (forge === 'bitbucket-server')
      return bitbucketServerRoutes(state, { ...asked, path: decoded }, address)
    const [kind, owner, name, ...rest] = decoded
    if (forge === 'bitbucket') {
      const isOwn = kind === 'repositories' && name === state.name && owner === state.owner
      const aside =
        kind === 'user' ? [kind] : kind === 'workspaces' && name === 'members' ? [name] : undefined
      const below = isOwn ? rest : aside
      return below ? bitbucketRoutes(state, { ...asked, path: below }, address) : notFound
    }
    if (kind !== 'repos' || owner !== state.owner || name !== state.name) return notFound
    return githubRoutes(forge, state, { ...asked, path: rest }, address)
  }
  const server = createServer((request, response) => {
    const isForbidden = standIn.forbidden(request.method ?? '', request.url ?? '')
    const rejection: StandInForge['rejections'][number] | undefined = isForbidden
      ? { status: 403 }
      : rejections.shift()
    const answered = rejection ? Promise.resolve({ status: rejection.status }) : answerTo(request)
    void answered.then((answer: StandInAnswer) => {
      log.push(`${request.method} ${request.url?.replace(versionPaths[forge], '')} -> ${answer.status}`)
      response.writeHead(answer.status, { 'content-type': 'application/json', ...rejection?.headers })
      response.end(
        rejection ? (rejection.body ?? '{}') : answer.body === undefined ? '' : JSON.stringify(answer.body),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const standIn: StandInForge = {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    state,
    log,
    violations,
    rejections,
    forbidden: () => false,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return standIn
}
