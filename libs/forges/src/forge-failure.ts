import { STATUS_CODES } from 'node:http'
import {
  type DomainError,
  FailedPreconditionError,
  NotFoundError,
  RateLimitError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import type { ForgeResponse } from './forge-exchange.ts'
import type { ForgeProtocol } from './forge-protocol.ts'

/** The advice about failed answers, in the words of the one who set address and token. */
export interface FailureWords {
  /** For a call without a token where one is needed, for example `give a tokenRef`. */
  readonly missing: string
  /** For a token that is not accepted. */
  readonly rejected: string
  /** For a token without the right for this. */
  readonly forbidden: string
  /** For a token with a limit that is too low. */
  readonly limited: string
  /** For an answer that no API gives. */
  readonly other: string
}

/** The words for what generators ask. */
export const generatorWords: FailureWords = {
  missing: 'give a tokenRef',
  rejected: 'put a valid one into the Secret that tokenRef names',
  forbidden: 'the token has no right to read this',
  limited: 'request less, give a tokenRef with a higher limit, or try again then',
  other: 'check the address of the API and the names in the generator',
}

/** Limits are per hour at most; a longer one is a mistake that must not last. */
const maxPauseMs = 3_600_000

/** The length of the first pause after an error of the forge; each further one is twice as long. */
const firstPauseMs = 500

/** The time for which a forge is not asked after a limit without a header, as GitHub's secondary one and those of Bitbucket. */
const untoldPauseMs = 60_000

/** An answer that is a failure, with what the forge itself says about it. */
type Failure = Pick<ForgeResponse, 'status' | 'headers'> & { said: string }

/**
 * The moment from which a forge answers again, in milliseconds since 1970: by `retry-after`, or by the rate limit's reset
 * when it is used up. Undefined when waiting does not help.
 */
export function retryAt(
  { status, headers, said }: Failure,
  attempt: number,
  now: number,
): number | undefined {
  if (!isRateLimit({ status, headers, said }) && status < 500) return undefined
  const backoff =
    now + (status === 429 || isSecondary(said) ? untoldPauseMs : firstPauseMs * 2 ** (attempt - 1))
  const reported = afterHeader(headers['retry-after'], now) ?? resetHeader(headers) ?? backoff
  return Math.min(reported, now + maxPauseMs)
}

/** True if the forge rejects a request because there were too many. */
export function isRateLimit({ status, headers, said }: Failure): boolean {
  if (status === 429) return true
  if (status !== 403) return false
  return remaining(headers) === '0' || headers['retry-after'] !== undefined || isSecondary(said)
}

function isSecondary(said: string): boolean {
  return /\bsecondary rate limit\b/i.test(said)
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
export function limitReached(asked: string, until: number, { limited }: FailureWords): RateLimitError {
  return new RateLimitError(`${asked}: the rate limit is used up until ${momentText(until)}; ${limited}`, {
    retryAt: until,
  })
}

/** To the second, so that the same limit gives the same message. */
function momentText(milliseconds: number): string {
  return new Date(Math.round(milliseconds / 1000) * 1000).toISOString().replace('.000Z', 'Z')
}

/**
 * The error for an answer that is none; its code is the HTTP status, such as `http-422`.
 * @param said what the forge itself says about it; empty for nothing
 */
export function failureOf(
  asked: string,
  { status, said }: { status: number; said: string },
  { forge, token, words }: { forge: ForgeProtocol; token: string | undefined; words: FailureWords },
): DomainError {
  const code = `http-${status}`
  const what = `${asked}: ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const hasToken = token !== undefined
  const scopes = hasToken && forge.scopes ? ` (it needs the scopes ${forge.scopes})` : ''
  const quoted = said === '' ? '' : `: ${said}`
  if (status >= 500) return new UnavailableError(`${what}; the forge fails, try again later`, { code })
  if (status === 404) {
    return new NotFoundError(
      `${what}; it does not exist, or ${hasToken ? 'the token may not see it' : `it is private: ${words.missing}`}`,
      { code },
    )
  }
  if (status === 401) {
    const hint = hasToken ? `the token is not accepted, ${words.rejected}` : words.missing
    return new FailedPreconditionError(`${what}; ${hint}${scopes}`, { code })
  }
  if (status === 403) {
    const hint = hasToken ? words.forbidden : `${words.missing} that may read this`
    return new FailedPreconditionError(`${what}${quoted}; ${hint}${scopes}`, { code })
  }
  return new FailedPreconditionError(`${what}${quoted}; ${words.other}`, { code })
}
