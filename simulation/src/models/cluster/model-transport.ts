import { Buffer } from 'node:buffer'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  type ApiTransport,
  clientName,
} from '@wadi/kubernetes/connection/api-connection.ts'
import { type ReceivedRequest, readRequest } from '@wadi/testing/kubernetes-api/api-request.ts'
import { Channel } from '../../virtual/channel.ts'
import type { ClusterServer } from './cluster-server.ts'

/** The connection of one process to an API server. */
export interface ApiLink {
  /** @throws UnavailableError if there is no answer, whether it took effect or not */
  ask<Answer>(label: string, ask: (server: ClusterServer) => Answer): Promise<Answer>
  /**
   * Opens a way from the server to the process, on which things arrive in their order, some time later. Returns how to send one.
   * @param broken is called once the process finds that nothing arrives any more
   * @param closed is called once the server finds that nobody listens
   */
  open(label: string, ends: { broken: () => void; closed: () => void }): (arrive: () => void) => void
}

/** The transport of the client of the Kubernetes API to a server that is a model. */
export function modelTransport(link: ApiLink): ApiTransport {
  return {
    clockAheadMs: 0,
    send: async (request, signal) => {
      const received = readRequest({
        ':method': request.method,
        ':path': request.path,
        'content-type': request.contentType ?? 'application/json',
        'user-agent': clientName,
      })
      if (!received) throw new Error(`the model of the API server has no ${request.path}`)
      return received.verb === 'watch' ? watch(link, received, signal) : call(link, request, received, signal)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

async function call(
  link: ApiLink,
  { body }: ApiRequest,
  received: ReceivedRequest,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  const label = `${received.verb} ${received.plural} ${received.name ?? ''}`.trim()
  const given: unknown = body === undefined ? undefined : JSON.parse(body)
  const { status, headers, text } = await untilAborted(
    link.ask(label, (server) => server.answer(received, given)),
    signal,
  )
  return { status, headers, body: chunksOf(text) }
}

async function watch(link: ApiLink, received: ReceivedRequest, signal: AbortSignal): Promise<ApiAnswer> {
  const events = new Channel<Buffer>()
  const closing = new AbortController()
  const close = (): void => closing.abort()
  signal.addEventListener('abort', () => {
    close()
    events.end({ error: signal.reason })
  })
  const label = `watch ${received.plural}`
  const send = link.open(label, {
    broken: () => {
      close()
      events.end({ error: new UnavailableError('the connection to the Kubernetes API was lost') })
    },
    closed: close,
  })
  const output = {
    write: (text: string) => send(() => events.push(Buffer.from(text))),
    end: () => {
      close()
      send(() => events.end())
    },
    onClose: (listener: () => void) => {
      if (closing.signal.aborted) listener()
      else closing.signal.addEventListener('abort', listener)
    },
  }
  const { status, headers, text } = await untilAborted(
    link.ask(label, (server) => server.watch(received, () => output)),
    signal,
  ).catch((error: unknown) => {
    close()
    throw error
  })
  return { status, headers, body: status === 200 ? events : chunksOf(text) }
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
