import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { StandInAnswer, StandInState } from './forge-state-fixture.ts'
import { standInAnswers } from './stand-in-answers-fixture.ts'

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

/** Starts a forge with one repository. */
export async function startStandInForge(forge: string, state: StandInState): Promise<StandInForge> {
  const { versionPath, addressPath, violations, answer } = standInAnswers(forge)
  const log: string[] = []
  const rejections: StandInForge['rejections'] = []
  const answerTo = async (request: IncomingMessage): Promise<StandInAnswer> => {
    const { method = '', url = '/', headers } = request
    const received = { method, url, headers: { ...headers }, text: await text(request) }
    return answer(state, received, `http://${headers.host}${addressPath}`)
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
