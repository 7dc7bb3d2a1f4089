import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** Events of a commit-server, counted and logged in one place. */
export interface CommitServerEvents {
  /** A branch got a commit, or its head a new note. */
  committed(branch: string, outcome: { hydratedSha: string; changedPaths: string[]; rebuilt: boolean }): void
  /** A branch that somebody else had changed has Wadi's files again. */
  restored(branch: string, hydratedSha: string): void
  /** A branch that people own has the wanted files, by a commit unless they were there already. */
  filesCommitted(branch: string, outcome: { sha: string; changedPaths: string[] }): void
  /** The pull request of a branch was opened, updated, merged, closed or opened again. */
  pullRequestWritten(branch: string, outcome: string, pullRequest: { number: string; url: string }): void
}

/** Events that update `metrics` and the log. */
export function createCommitServerEvents(logger: Logger, metrics: MetricsRegistry): CommitServerEvents {
  const commits = metrics.counter(
    'commits_total',
    'Hydrated commits: committed, noted (only the note moved), rebuilt (on top of a foreign commit) or restored.',
    ['outcome'],
  )
  const fileCommits = metrics.counter(
    'file_commits_total',
    'Requests for files on dry branches: committed or unchanged.',
    ['outcome'],
  )
  const pullRequests = metrics.counter(
    'pull_requests_total',
    'Changes of pull requests of hydrated branches: opened, updated, merged, closed or reopened.',
    ['outcome'],
  )
  return {
    committed(branch, { hydratedSha, changedPaths, rebuilt }) {
      const outcome = changedPaths.length === 0 ? 'noted' : rebuilt ? 'rebuilt' : 'committed'
      commits.inc({ outcome })
      logger.info({ branch, hydratedSha, changed: changedPaths.length, outcome }, 'branch written')
    },
    restored(branch, hydratedSha) {
      commits.inc({ outcome: 'restored' })
      logger.warn({ branch, hydratedSha }, 'branch restored')
    },
    filesCommitted(branch, { sha, changedPaths }) {
      const outcome = changedPaths.length === 0 ? 'unchanged' : 'committed'
      fileCommits.inc({ outcome })
      logger.info({ branch, sha, files: changedPaths.length, outcome }, 'files written')
    },
    pullRequestWritten(branch, outcome, { number, url }) {
      pullRequests.inc({ outcome })
      logger.info({ branch, outcome, number, url }, 'pull request written')
    },
  }
}
