import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** What happens in a commit-server, counted and logged in one place. */
export interface CommitServerEvents {
  /** A branch got a commit, or its head a new note. */
  committed(branch: string, outcome: { hydratedSha: string; changedPaths: string[]; rebuilt: boolean }): void
}

/** Events that count into `metrics` and log. */
export function createCommitServerEvents(logger: Logger, metrics: MetricsRegistry): CommitServerEvents {
  const commits = metrics.counter('commits_total', 'Hydrated commits by what came of them.', ['outcome'])
  return {
    committed(branch, { hydratedSha, changedPaths, rebuilt }) {
      const outcome = changedPaths.length === 0 ? 'noted' : rebuilt ? 'rebuilt' : 'committed'
      commits.inc({ outcome })
      logger.info({ branch, hydratedSha, changed: changedPaths.length, outcome }, 'branch written')
    },
  }
}
