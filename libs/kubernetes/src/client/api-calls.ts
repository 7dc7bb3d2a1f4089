import { setTimeout as delay } from 'node:timers/promises'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import type { ApiTransport, ApiRequest } from '../connection/api-connection.ts'
import { readAnswer, readBody } from './answers.ts'
import { BusyError, statusError } from './status-error.ts'

const callTimeoutMs = 30_000
const firstPauseMs = 100

/** Requests that are answered at once, unlike watches. */
export class ApiCalls {
  readonly #connection: ApiTransport
  readonly #server: string

  /** @param server the address, for errors */
  constructor(connection: ApiTransport, server: string) {
    this.#connection = connection
    this.#server = server
  }

  /**
   * Returns the answer of the API. A call that the server is too busy for (429) is repeated, which is safe since it did nothing,
   * until 30 s are over.
   * @throws the domain errors of `status-error.ts`, DeadlineExceededError after 30 s, CanceledError or the reason of the signal
   */
  async call<Answer>(request: ApiRequest, signal?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(callTimeoutMs)
    const ended = signal === undefined ? limit : AbortSignal.any([signal, limit])
    const deadline = performance.now() + callTimeoutMs
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
        const answer = await this.#attempt<Answer>(request, ended)
        if (!(answer instanceof BusyError)) return answer
        const wait = Math.max(answer.retryAfterMs, pauseMs) * (1 + Math.random() / 2)
        if (performance.now() + wait > deadline) throw answer
        await delay(wait, undefined, { signal: ended })
      }
    } catch (error) {
      if (ended.aborted) throw abortError(ended, `${request.method} ${request.path} of the Kubernetes API`)
      throw error
    }
  }

  /** The answer, or the error of a server that is too busy. */
  async #attempt<Answer>(request: ApiRequest, signal: AbortSignal): Promise<Answer | BusyError> {
    const { status, headers, body: chunks } = await this.#connection.send(request, signal)
    const body = await readBody(chunks)
    if (status >= 300) {
      const error = statusError(status, body, headers['retry-after'])
      if (status === 429 && error instanceof BusyError) return error
      throw error
    }
    return readAnswer(body, this.#server) as Answer
  }
}
