import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { OnWhole } from './mirror-pool.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** Counts and logs when everything is fetched of a repository although parts of it are wanted. */
export class WholeCopies {
  readonly #logger: Logger
  readonly #copies: ReturnType<typeof countCopies>
  /** The causes by repository. */
  readonly #troubles = new Map<string, string>()

  constructor({ logger, metrics }: { logger: Logger; metrics: MetricsRegistry }) {
    this.#logger = logger
    this.#copies = countCopies(metrics)
  }

  /** Takes note of a repository that was fetched whole, and why. */
  readonly add: OnWhole = (url, reason, message) => {
    const repository = redactUrl(url)
    this.#copies.inc({ reason })
    const line = 'everything is fetched of a repository, not what is needed'
    if (reason !== 'refused' && reason !== 'odd answers') {
      this.#logger.info({ repository, reason: message }, line)
      return
    }
    this.#logger.warn({ repository, reason: message }, line)
    this.#troubles.set(repository, message)
  }

  /** Returns a finding for each repository whose server offers parts and did not give them since the start. */
  findings(): Finding[] {
    return [...this.#troubles].map(([repository, message]) => ({
      severity: 'info',
      area: 'repository',
      message: `${repository} offers parts and does not give them (${message}); its whole history is fetched`,
      remedy:
        'none is needed: the copy is complete and takes more disk; docs/guides/operating.md says how to have it smaller again',
    }))
  }
}

function countCopies(metrics: MetricsRegistry) {
  return metrics.counter(
    'whole_copies_total',
    'Copies of repositories that were made whole although what is needed would do, by reason: wanted (by the operator), git (which has to fetch), not offered, refused or odd answers (of the server).',
    ['reason'],
  )
}
