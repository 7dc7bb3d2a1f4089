import { errorMessage } from '@wadi/errors/domain-error.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import { type PullRequestRecord, pullRequestText } from '@wadi/hydration/hydrated-branch.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'

/** Events of pull requests of hydrated branches. */
export interface PullRequestEvents {
  /** The pull request of a branch stands in another way than before. */
  pullRequest(place: { repoUrl: string; branch: string }, record: PullRequestRecord): void
  /** A poll of pull requests failed for a reason that is not the forge's; the next one comes after the interval. */
  pullRequestFailed(error: unknown): void
}

/** Events that are logged. */
export function createPullRequestEvents(logger: Logger): PullRequestEvents {
  return {
    pullRequest({ branch, repoUrl }, record) {
      const { number, url, state, isSettled } = record
      const level = isSettled || state !== 'none' ? 'info' : 'warn'
      const reason = pullRequestText(record)
      logger[level]({ repository: redactUrl(repoUrl), branch, number, url, reason }, 'pull request')
    },
    pullRequestFailed(error) {
      logger.warn({ reason: errorMessage(error) }, 'pull requests could not be kept')
    },
  }
}
