import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describedApi, violationsOf } from '../described-requests-fixture.ts'
import { azureDevOpsRoutes } from '../azure-devops/azure-devops-routes-fixture.ts'
import { bitbucketRoutes } from '../bitbucket/bitbucket-routes-fixture.ts'
import { bitbucketServerRoutes } from '../bitbucket-server/bitbucket-server-routes-fixture.ts'
import { githubRoutes } from '../github/github-routes-fixture.ts'
import { gitlabRoutes } from '../gitlab/gitlab-routes-fixture.ts'
import {
  notFound,
  type StandInAnswer,
  type StandInRequest,
  type StandInState,
} from './forge-state-fixture.ts'

/** A forge on this machine that answers as the real one and accepts only requests that the real one describes. */
export interface StandInForge extends AsyncDisposable {
  /** For example `http://127.0.0.1:4711`. */
  address: string
  state: StandInState
  /** The requests and their results, for example `POST /repos/acme/shop/pulls -> 201`. */
  log: string[]
  /** The parts of requests that the published description does not allow. */
  violations: string[]
  /** Answers that come in place of the true ones, the first one first. */
  rejections: { status: number; headers?: Record<string, string>; body?: string }[]
  /** Requests that are forbidden; none at first. */
  forbidden: (method: string, path: string) => boolean
}

/** The token that stand-ins want. */
export const standInToken = 'stand-in-token-2718'

/** The routes of a stand-in: the path of its API, and the answers below it. */
interface StandInRoutes {
  versionPath: string
  /** Path that belongs to the address already; none by default. */
  addressPath?: string
  answer: (
    state: StandInState,
    request: StandInRequest,
    address: string,
  ) => StandInAnswer | Promise<StandInAnswer>
}

const routesOf: Readonly<Record<string, StandInRoutes>> = {
  github: {
    versionPath: '/api/v3',
    answer: (state, request, address) =>
      below('repos', state, request, (inside) => githubRoutes('github', state, inside, address)),
  },
  gitea: {
    versionPath: '/api/v1',
    answer: (state, request, address) =>
      below('repos', state, request, (inside) => githubRoutes('gitea', state, inside, address)),
  },
  gitlab: {
    versionPath: '/api/v4',
    answer: (state, { path, ...request }, address) => {
      const isOwn = path[0] === 'users' || path[1] === `${state.owner}/${state.name}`
      const inside = path[0] === 'users' ? path : path.slice(2)
      return isOwn ? gitlabRoutes(state, { ...request, path: inside }, address) : notFound
    },
  },
  bitbucket: {
    versionPath: '/2.0',
    answer: (state, request, address) => {
      const [kind = '', , name = ''] = request.path
      const aside =
        kind === 'user' ? [kind] : kind === 'workspaces' && name === 'members' ? [name] : undefined
      const answer = (inside: StandInRequest) => bitbucketRoutes(state, inside, address)
      return aside
        ? answer({ ...request, path: aside })
        : below('repositories', state, request, (inside) => answer(inside))
    },
  },
  'bitbucket-server': { versionPath: '/rest', answer: bitbucketServerRoutes },
  'azure-devops': { addressPath: '/contoso', versionPath: '/contoso', answer: azureDevOpsRoutes },
}

/** Answers what is below the repository of a stand-in. */
function below(
  prefix: string,
  { owner, name }: StandInState,
  { path, ...request }: StandInRequest,
  answer: (inside: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
): StandInAnswer | Promise<StandInAnswer> {
  const isOwn = path[0] === prefix && path[1] === owner && path[2] === name
  return isOwn ? answer({ ...request, path: path.slice(3) }) : notFound
}

/** Starts a forge with one repository. */
export async function startStandInForge(forge: string, state: StandInState): Promise<StandInForge> {
  const { versionPath, addressPath = '', answer } = routesOf[forge] ?? assert.fail(`${forge} has no stand-in`)
  const description = describedApi(forge)
  const log: string[] = []
  const violations: string[] = []
  const rejections: StandInForge['rejections'] = []
  const answerTo = async (request: IncomingMessage): Promise<StandInAnswer> => {
    const url = new URL(request.url ?? '/', 'http://forge')
    const method = request.method ?? ''
    const sent = await text(request)
    const body: unknown = sent === '' ? undefined : JSON.parse(sent)
    const path = url.pathname.replace(versionPath, '')
    const found = violationsOf(description, { method, path, query: url.searchParams, body })
    violations.push(...found.map((violation) => `${method} ${path}: ${violation}`))
    if (found.length > 0) return { status: 422, body: { message: found.join('; ') } }
    if (tokenOf(request) !== standInToken) return { status: 401, body: { message: 'Bad credentials' } }
    const decoded = path.slice(1).split('/').map(decodeURIComponent)
    const asked = { method, path: decoded, query: url.searchParams, body: Object(body ?? {}) }
    return answer(state, asked, `http://${request.headers.host}${addressPath}`)
  }
  const server = createServer((request, response) => {
    const isForbidden = standIn.forbidden(request.method ?? '', request.url ?? '')
    const rejection: StandInForge['rejections'][number] | undefined = isForbidden
      ? { status: 403 }
      : rejections.shift()
    const answered = rejection ? Promise.resolve({ status: rejection.status }) : answerTo(request)
    void answered.then((given: StandInAnswer) => {
      log.push(`${request.method} ${request.url?.replace(versionPath, '')} -> ${given.status}`)
      response.writeHead(given.status, {
        'content-type': 'application/json',
        ...given.headers,
        ...rejection?.headers,
      })
      response.end(
        rejection ? (rejection.body ?? '{}') : given.body === undefined ? '' : JSON.stringify(given.body),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const standIn: StandInForge = {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}${addressPath}`,
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

/** Token of a request, which may be a password. */
function tokenOf({ headers }: IncomingMessage): unknown {
  const { authorization = '', 'private-token': token } = headers
  const [, encoded] = /^Basic (.*)$/.exec(authorization) ?? []
  if (encoded !== undefined)
    return Buffer.from(encoded, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  return token ?? authorization.replace(/^(?:Bearer|token) /, '')
}
