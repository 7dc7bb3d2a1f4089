import { DomainError } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** The outcome of a review; `stale` for a pull request that was closed or has another head. */
export type ReviewOutcome = 'success' | 'failure' | 'error' | 'stale' | 'known' | 'elsewhere'

/** Events of pull requests, counted and logged in one place. */
export interface ReviewEvents {
  /** A pull request was looked at. */
  reviewed(repoUrl: string, number: string, outcome: ReviewOutcome): void
  /** A pull request could not be reviewed, or with an empty number those of a repository not be listed. */
  reviewFailed(repoUrl: string, number: string, error: unknown): void
  /** The forge of a repository answers nothing more until then. */
  reviewsPaused(repoUrl: string, until: Date): void
  /** The settings of reviews cannot be read, so they are off where they need them. */
  reviewSettingsInvalid(reason: string): void
}

/** Events that update `metrics` and the log. */
export function createReviewEvents(logger: Logger, metrics: MetricsRegistry): ReviewEvents {
  const reviews = metrics.counter(
    'reviews_total',
    'Looks at heads of pull requests: success, failure or error as the commit status; stale (closed, or another head meanwhile), known (reviewed before), elsewhere (to a branch that no Application follows), failed (the forge or a repository did not answer).',
    ['outcome'],
  )
  return {
    reviewed(repoUrl, number, outcome) {
      reviews.inc({ outcome })
      logger.info({ repository: redactUrl(repoUrl), pullRequest: number, outcome }, 'pull request reviewed')
    },
    reviewFailed(repoUrl, number, error) {
      reviews.inc({ outcome: 'failed' })
      const pullRequest = number === '' ? undefined : number
      const isKnownError = error instanceof DomainError
      const reason = isKnownError ? error.message : 'internal error'
      logger.warn(
        { repository: redactUrl(repoUrl), pullRequest, reason, ...(!isKnownError && { err: error }) },
        'pull request not reviewed',
      )
    },
    reviewsPaused(repoUrl, until) {
      const repository = redactUrl(repoUrl)
      logger.warn({ repository, until: until.toISOString() }, "reviews wait for the forge's rate limit")
    },
    reviewSettingsInvalid(reason) {
      logger.warn({ reason }, 'settings of reviews cannot be read')
    },
  }
}
