import { STATUS_CODES } from 'node:http'
import {
  type DomainError,
  FailedPreconditionError,
  NotFoundError,
  ResourceExhaustedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import type { ForgeResponse } from './forge-exchange.ts'

/** Limits are per hour at most; a longer one is a mistake that must not last. */
const maxPauseMs = 3_600_000

/** How long the first pause is after an error of the forge; each further one is twice as long. */
const firstPauseMs = 500

/**
 * The moment from which a forge answers again, in milliseconds since 1970: by `retry-after`, or by the rate limit's reset
 * when it is used up. Undefined when waiting does not help.
 */
export function retryAt(
  { status, headers }: Pick<ForgeResponse, 'status' | 'headers'>,
  attempt: number,
  now: number,
): number | undefined {
  if (!isRateLimit({ status, headers }) && status < 500) return undefined
  const backoff = now + firstPauseMs * 2 ** (attempt - 1)
  const reported = afterHeader(headers['retry-after'], now) ?? resetHeader(headers) ?? backoff
  return Math.min(reported, now + maxPauseMs)
}

/** Whether the forge refuses because it was asked too much. */
export function isRateLimit({ status, headers }: Pick<ForgeResponse, 'status' | 'headers'>): boolean {
  if (status === 429) return true
  return status === 403 && (remaining(headers) === '0' || headers['retry-after'] !== undefined)
}

function afterHeader(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const moment = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(moment) ? undefined : moment
}

function resetHeader(headers: ForgeResponse['headers']): number | undefined {
  if (remaining(headers) !== '0') return undefined
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']
  return typeof reset === 'string' && /^\d{1,11}$/.test(reset) ? Number(reset) * 1000 : undefined
}

/** GitHub and Gitea say `x-ratelimit-…`, GitLab `ratelimit-…`. */
function remaining(headers: ForgeResponse['headers']): unknown {
  return headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']
}

/** The error for a limit that is used up until a moment. */
export function limitReached(asked: string, until: number): ResourceExhaustedError {
  return new ResourceExhaustedError(
    `${asked}: the rate limit is used up until ${momentText(until)}; ` +
      'request less, give a tokenRef with a higher limit, or try again then',
  )
}

/** To the second, so that the same limit gives the same message. */
function momentText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The error for an answer that is none; `hasToken` is whether a token was sent. */
export function failureOf(
  asked: string,
  { status }: Pick<ForgeResponse, 'status'>,
  hasToken: boolean,
): DomainError {
  const what = `${asked}: ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  if (status >= 500) return new UnavailableError(`${what}; the forge fails, try again later`)
  if (status === 404) {
    return new NotFoundError(
      `${what}; it does not exist, or ${hasToken ? 'the token may not see it' : 'it is private and needs a tokenRef'}`,
    )
  }
  if (status === 401) {
    const hint = hasToken
      ? 'the token is not accepted, put a valid one into the Secret that tokenRef names'
      : 'give a tokenRef'
    return new FailedPreconditionError(`${what}; ${hint}`)
  }
  if (status === 403) {
    const hint = hasToken ? 'the token has no right to read this' : 'give a tokenRef that may read this'
    return new FailedPreconditionError(`${what}; ${hint}`)
  }
  return new FailedPreconditionError(`${what}; check the address of the API and the names in the generator`)
}
