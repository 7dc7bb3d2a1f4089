import assert from 'node:assert/strict'
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

/** The token that stand-ins want. */
export const standInToken = 'stand-in-token-2718'

/** A request as HTTP brings it to a stand-in. */
export interface ReceivedForgeRequest {
  method: string
  /** With its query. */
  url: string
  headers: Readonly<Record<string, unknown>>
  /** JSON; empty for none. */
  text: string
}

/** The answers of one kind of forge, without a connection. */
export interface StandInAnswers {
  /** The path of its API, below which the answers are. */
  readonly versionPath: string
  /** Path that belongs to the address already; empty for none. */
  readonly addressPath: string
  /** Answers as the real one, and only requests that the real one describes. @param address with `addressPath` */
  readonly answer: (
    state: StandInState,
    request: ReceivedForgeRequest,
    address: string,
  ) => Promise<StandInAnswer>
  /** The parts of requests so far that the published description does not allow. */
  readonly violations: string[]
}

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

/** Returns the answers of a kind of forge. */
export function standInAnswers(forge: string): StandInAnswers {
  const { versionPath, addressPath = '', answer } = routesOf[forge] ?? assert.fail(`${forge} has no stand-in`)
  const description = describedApi(forge)
  const violations: string[] = []
  return {
    versionPath,
    addressPath,
    violations,
    answer: async (state, { method, url: asked, headers, text }, address) => {
      const url = new URL(asked, 'http://forge')
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      const path = url.pathname.replace(versionPath, '')
      const found = violationsOf(description, { method, path, query: url.searchParams, body })
      violations.push(...found.map((violation) => `${method} ${path}: ${violation}`))
      if (found.length > 0) return { status: 422, body: { message: found.join('; ') } }
      if (tokenOf(headers) !== standInToken) return { status: 401, body: { message: 'Bad credentials' } }
      const decoded = path.slice(1).split('/').map(decodeURIComponent)
      const request = { method, path: decoded, query: url.searchParams, body: Object(body ?? {}) }
      return answer(state, request, address)
    },
  }
}

/** Token of a request, which may be a password. */
function tokenOf({ authorization, 'private-token': token }: Readonly<Record<string, unknown>>): unknown {
  const given = typeof authorization === 'string' ? authorization : ''
  const [, encoded] = /^Basic (.*)$/.exec(given) ?? []
  if (encoded !== undefined)
    return Buffer.from(encoded, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
  return token ?? given.replace(/^(?:Bearer|token) /, '')
}
