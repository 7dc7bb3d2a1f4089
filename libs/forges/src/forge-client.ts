import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DomainError,
  FailedPreconditionError,
  UnavailableError,
  errorMessage,
} from '@wadi/errors/domain-error.ts'
import { inContext } from '@wadi/errors/with-context.ts'
import type { ServerWay } from '@wadi/git/network/server-way.ts'
import { LRUCache } from 'lru-cache'
import {
  exchangeWithForge,
  type ForgeExchange,
  type ForgeMethod,
  type ForgeResponse,
  isReading,
} from './forge-exchange.ts'
import { type FailureWords, failureOf, isRateLimit, limitReached, retryAt } from './forge-failure.ts'
import type { ForgeProtocol } from './forge-protocol.ts'
import { spokenReason } from './spoken-reason.ts'
import { followingQuery } from './forge-paging.ts'

/** The address of a forge, and the account that asks it. */
export interface ForgeLogin {
  forge: ForgeProtocol
  /** Ends with a slash. */
  base: URL
  /** Undefined to ask as nobody. */
  token: string | undefined
  /** The account of a token that goes with one, or that is a password, as Gitea and Bitbucket Cloud take them. */
  username?: string | undefined
  /** The way to the server. */
  way: ServerWay
  mayBeInner: boolean
  /** The words for failures. */
  words: FailureWords
}

/** A request to a forge. */
export interface ForgeQuestion<Value> {
  method: ForgeMethod
  /** Below the base, without a slash at the beginning. */
  path: string
  /** Empty, or with its question mark. */
  query: string
  /** Sent as JSON, by methods that change something. */
  body?: unknown
  /** Takes what is needed from the parsed body, undefined for HEAD and for an answer without one; equal questions have to be read equally. */
  read: (body: unknown) => Value
}

/** An answer, or one page of it. */
export interface ForgeAnswer<Value> {
  value: Value
  /** The query that gives the following page; undefined on the last one. */
  following: string | undefined
  /** The number of items on all pages, if the forge gives it. */
  total: number | undefined
}

/** The limits of the client's patience. */
export interface ForgePatience {
  /** Milliseconds that all pauses for one answer may take. */
  waitMs: number
  /** Milliseconds until an answer has to be there. */
  answerMs: number
}

const maxAttempts = 4
const cacheBytes = 32 * 1024 * 1024

/**
 * Asks forges. Answers are kept with their ETags, and asked for again with them, which costs no rate limit when they
 * are the same; a token is part of what an answer is kept under, and kept as a digest alone.
 */
export class ForgeClient {
  readonly #patience: ForgePatience
  readonly #exchange: ForgeExchange
  readonly #answers = new LRUCache<string, ForgeAnswer<unknown> & { etag: string }>({
    maxSize: cacheBytes,
    maxEntrySize: cacheBytes / 8,
    sizeCalculation: (answer) => (JSON.stringify(answer.value) ?? '').length + 256,
  })
  /** The tokens that a forge does not answer, each for as long as that lasts, whatever is done to the clock meanwhile. */
  readonly #blocked = new LRUCache<string, true>({ max: 1_000 })

  /** @param exchange asks a forge once */
  constructor(patience: ForgePatience, exchange: ForgeExchange = exchangeWithForge) {
    this.#patience = patience
    this.#exchange = exchange
  }

  /**
   * Asks until there is an answer or asking again cannot help. A request that changes something is sent once more only after a rate limit, which
   * says that nothing was done.
   * @throws NotFoundError for 404, RateLimitError that says when a rate limit ends, UnavailableError when the forge fails or is not reached, FailedPreconditionError for everything else, all of them with what was asked
   */
  async ask<Value>(
    login: ForgeLogin,
    question: ForgeQuestion<Value>,
    signal: AbortSignal,
  ): Promise<ForgeAnswer<Value>> {
    const asked = `${login.forge.name}: ${question.method} ${login.base.href}${question.path}`
    const account = digestOf([login.forge.name, login.base.origin, login.token])
    const deadline = Date.now() + this.#patience.waitMs
    for (let attempt = 1; ; attempt += 1) {
      await this.#untilUnblocked(account, { asked, words: login.words, deadline }, signal)
      const outcome = await this.#attempt(login, question, asked, signal)
      if (!('status' in outcome)) return outcome
      const now = Date.now()
      const again = retryAt(outcome, attempt, now)
      const isLimited = isRateLimit(outcome)
      const mayRepeat = isLimited || isReading(question.method)
      if (again === undefined || !mayRepeat) throw failureOf(asked, outcome, login)
      if (isLimited) this.#blocked.set(account, true, { ttl: Math.max(1, again - now) })
      if (attempt < maxAttempts && again <= deadline) {
        await delay(Math.max(0, again - now), undefined, { signal })
        continue
      }
      throw isLimited ? limitReached(asked, again, login.words) : failureOf(asked, outcome, login)
    }
  }

  async #untilUnblocked(
    account: string,
    { asked, words, deadline }: { asked: string; words: FailureWords; deadline: number },
    signal: AbortSignal,
  ): Promise<void> {
    const pause = this.#blocked.getRemainingTTL(account)
    if (pause <= 0) return
    const until = Date.now() + Math.ceil(pause)
    if (until > deadline) throw limitReached(asked, until, words)
    await delay(pause, undefined, { signal })
  }

  /** The answer, or the status that is none. */
  async #attempt<Value>(
    login: ForgeLogin,
    { method, path, query, body, read }: ForgeQuestion<Value>,
    asked: string,
    signal: AbortSignal,
  ): Promise<ForgeAnswer<Value> | (Pick<ForgeResponse, 'status' | 'headers'> & { said: string })> {
    const { forge, base, token, way, mayBeInner } = login
    const url = new URL(`${path}${query}`, base)
    const key = digestOf([forge.name, method, url.href, token, way])
    const known = this.#answers.get(key) as (ForgeAnswer<Value> & { etag: string }) | undefined
    const timeout = AbortSignal.timeout(this.#patience.answerMs)
    let response: ForgeResponse
    try {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        ...headersOf(login),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...(known && { 'if-none-match': known.etag }),
      }
      response = await this.#exchange(
        { method, url, headers, body: text, way, mayBeInner, isSignIn: forge.isSignIn },
        AbortSignal.any([signal, timeout]),
      )
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof DomainError) throw inContext(asked, error)
      const reason = timeout.aborted ? `no answer within ${this.#patience.answerMs} ms` : errorMessage(error)
      throw new UnavailableError(`${asked}: ${reason}`, { cause: error })
    }
    const { status, headers } = response
    if (status === 304 && known) return known
    if (forge.isSignIn?.(response)) return { status: 401, headers, said: '' }
    if (status < 200 || status > 299) return { status, headers, said: spokenReason(response.body) }
    const total = Number(headers['x-total-count'] ?? Number.NaN)
    const answer = {
      value: readBody(asked, method === 'HEAD' || response.body === '' ? undefined : response.body, read),
      following: followingQuery(headers, query),
      total: Number.isSafeInteger(total) ? total : undefined,
    }
    if (headers.etag !== undefined && isReading(method))
      this.#answers.set(key, { ...answer, etag: headers.etag })
    return answer
  }
}

/** Headers by which a forge recognizes the caller and the form of the response. */
function headersOf({ forge, token, username }: ForgeLogin): Record<string, string> {
  const account = token === undefined ? {} : forge.authorization({ token, username })
  return { accept: 'application/json', 'user-agent': 'wadi', ...forge.headers, ...account }
}

function readBody<Value>(asked: string, body: string | undefined, read: (body: unknown) => Value): Value {
  try {
    return read(body === undefined ? undefined : JSON.parse(body))
  } catch (cause) {
    const reason =
      cause instanceof DomainError ? cause.message : 'the answer is not valid JSON; is it the API?'
    throw new FailedPreconditionError(`${asked}: ${reason}`, { cause })
  }
}

function digestOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
