import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { BranchRun, GroupRun } from './run/branch-run.ts'

/** What happens in a hydrator, counted and logged in one place. */
export interface HydratorEvents {
  /** A step of a run begins. */
  step(name: string, run: BranchRun): void
  /** A group's commit landed, or its note moved. */
  committed(run: BranchRun, group: GroupRun, answer: { hydratedSha: string; changedPaths: string[] }): void
  /** A dry commit that is not the newest cannot be rendered and gets no hydrated commit. */
  passedOver(run: BranchRun, drySha: string, failures: readonly ApplicationFailure[]): void
  /** A run ended and its outcome is recorded. */
  finished(run: BranchRun, milliseconds: number): void
  /** A look at the dry repositories failed; the next one comes after the interval. */
  pollFailed(error: unknown): void
  /** An Application cannot be read and takes no part. */
  invalidApplication(name: string, message: string): void
}

/** Events that count into `metrics` and log. */
export function createHydratorEvents(logger: Logger, metrics: MetricsRegistry): HydratorEvents {
  const runs = metrics.counter('hydrations_total', 'Finished hydration runs of a group.', ['outcome'])
  const seconds = metrics.histogram('hydration_duration_seconds', 'Duration of a branch run.', ['outcome'])
  const rendered = metrics.counter('rendered_sources_total', 'Sources that had to be rendered.')
  const changed = metrics.counter('changed_directories_total', 'Hydrated directories that a commit changed.')
  return {
    step(name, run) {
      logger.debug({ branch: run.branch, step: name }, 'hydration step')
    },
    committed(run, group, { hydratedSha, changedPaths }) {
      changed.inc(changedPaths.length)
      const { branch } = run
      const { drySha } = group
      logger.info({ branch, drySha, hydratedSha, changed: changedPaths.length }, 'hydrated')
    },
    passedOver({ branch }, drySha, failures) {
      logger.warn({ branch, drySha, failures: failures.slice(0, 5) }, 'dry commit passed over')
    },
    finished(run, milliseconds) {
      rendered.inc(run.rendered)
      const failed = run.groups.filter((group) => group.failure)
      for (const group of run.groups) runs.inc({ outcome: group.failure ? 'failed' : 'hydrated' })
      seconds.observe({ outcome: failed.length > 0 ? 'failed' : 'hydrated' }, milliseconds / 1000)
      for (const { failure, drySha } of failed) {
        const { branch } = run
        logger.warn(
          { branch, drySha, reason: failure?.message, failures: failure?.failures.slice(0, 5) },
          'not hydrated',
        )
      }
    },
    pollFailed(error) {
      logger.warn({ err: error }, 'dry repositories could not be looked at')
    },
    invalidApplication(name, message) {
      logger.warn({ application: name, reason: message }, 'application cannot be read')
    },
  }
}
