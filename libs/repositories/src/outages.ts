import { type DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'

/** Hears when a remote goes away and when it comes back, once each. */
export interface OutageEvents {
  unreachable(repository: string, message: string): void
  reachable(repository: string, seconds: number): void
}

interface Outage {
  error: UnavailableError | DeadlineExceededError
  failures: number
  since: number
  /** In `performance.now()`. */
  until: number
}

const firstPauseMs = 250
const maxPauseMs = 30_000

/**
 * Which remotes do not answer, and how long each is left alone: twice as long after each failure, at least as long as the
 * failure took, 30 s at most, with jitter.
 */
export class Outages<Remote extends object> {
  #urlOf: (remote: Remote) => string
  #events: OutageEvents | undefined
  #outages = new WeakMap<Remote, Outage>()

  constructor(urlOf: (remote: Remote) => string, events?: OutageEvents) {
    this.#urlOf = urlOf
    this.#events = events
  }

  /** @throws UnavailableError with the words of the failure while the remote is to be left alone */
  assertOver(remote: Remote): void {
    const outage = this.#outages.get(remote)
    if (outage === undefined || performance.now() >= outage.until) return
    throw new UnavailableError(outage.error.message, { cause: outage.error })
  }

  failed(remote: Remote, error: Outage['error'], tookMs: number): void {
    const before = this.#outages.get(remote)
    const failures = (before?.failures ?? 0) + 1
    const pause = Math.min(Math.max(firstPauseMs * 2 ** (failures - 1), tookMs), maxPauseMs)
    const now = performance.now()
    const until = now + pause * (1 - Math.random() / 4)
    this.#outages.set(remote, { error, failures, since: before?.since ?? now, until })
    if (!before) this.#events?.unreachable(redactUrl(this.#urlOf(remote)), error.message)
  }

  ended(remote: Remote): void {
    const outage = this.#outages.get(remote)
    if (!outage) return
    this.#outages.delete(remote)
    const seconds = Math.round((performance.now() - outage.since) / 1000)
    this.#events?.reachable(redactUrl(this.#urlOf(remote)), seconds)
  }
}

/** Writes one line when a remote goes away and one when it is back, however often it was asked in between. */
export function logOutages(logger: Logger): OutageEvents {
  return {
    unreachable(repository, message) {
      logger.warn({ repository, reason: message }, 'repository cannot be reached')
    },
    reachable(repository, seconds) {
      logger.info({ repository, seconds }, 'repository can be reached again')
    },
  }
}
