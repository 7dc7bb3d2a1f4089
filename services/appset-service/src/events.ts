import { DomainError } from '@wadi/errors/domain-error.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { PlannedChange } from './changes/plan-application-changes.ts'

/** Events of an appset-service, counted and logged in one place. */
export interface AppsetServiceEvents {
  /** An ApplicationSet generated its Applications. */
  generated(applicationSet: string, applications: number): void
  /** A user stored an ApplicationSet, or had it generated again, with what that changed. */
  changed(
    applicationSet: string,
    outcome: 'created' | 'updated' | 'unchanged',
    changes: readonly PlannedChange[],
    user: string,
  ): void
  /** A user deleted an ApplicationSet with so many Applications, or left these where they are. */
  deleted(applicationSet: string, applications: number, kept: boolean, user: string): void
  /** The stored policy, or the roles of a project, cannot be read. */
  policyInvalid(reason: string): void
  /** So many Applications were changed because what an ApplicationSet generates changed by itself. */
  reconciled(applicationSet: string, applications: number): void
  /** An ApplicationSet could not be generated again; it is tried again. */
  reconcileFailed(applicationSet: { namespace: string; name: string }, error: unknown): void
  /** Changes of objects cannot be followed; that is tried again. */
  watchFailed(error: unknown): void
  /** An ApplicationSet uses what Argo CD has not. */
  beyondArgoCd(applicationSet: string, extensions: readonly string[]): void
}

/** Events that update `metrics` and the log. */
export function createAppsetServiceEvents(logger: Logger, metrics: MetricsRegistry): AppsetServiceEvents {
  const generated = metrics.counter(
    'applications_generated_total',
    'Applications generated from ApplicationSets.',
  )
  const changed = metrics.counter(
    'applicationset_changes_total',
    'ApplicationSets that users stored, had generated again or deleted: created, updated, unchanged or deleted.',
    ['outcome'],
  )
  const reconciled = metrics.counter(
    'applicationset_reconciles_total',
    'Passes over ApplicationSets that changed something (changed) or failed.',
    ['outcome'],
  )
  return {
    changed(applicationSet, outcome, changes, user) {
      changed.inc({ outcome })
      const count = (wanted: PlannedChange['action']) =>
        changes.filter(({ action }) => action === wanted).length
      const counts = { create: count('create'), update: count('update'), delete: count('delete') }
      logger.info({ applicationSet, outcome, user, ...counts }, 'ApplicationSet stored')
    },
    deleted(applicationSet, applications, kept, user) {
      changed.inc({ outcome: 'deleted' })
      logger.info({ applicationSet, applications, kept, user }, 'ApplicationSet deleted')
    },
    generated(applicationSet, applications) {
      generated.inc(applications)
      logger.debug({ applicationSet, applications }, 'applications generated')
    },
    policyInvalid(reason) {
      logger.error({ reason }, 'the policy cannot be read')
    },
    reconciled(applicationSet, applications) {
      reconciled.inc({ outcome: 'changed' })
      logger.info({ applicationSet, applications }, 'ApplicationSet reconciled')
    },
    reconcileFailed({ name: applicationSet }, error) {
      reconciled.inc({ outcome: 'failed' })
      if (error instanceof DomainError) {
        logger.warn({ applicationSet, reason: error.message }, 'ApplicationSet not reconciled')
      } else {
        logger.error({ applicationSet, err: error }, 'ApplicationSet not reconciled')
      }
    },
    watchFailed(error) {
      logger.error({ err: error }, 'changes of objects cannot be followed')
    },
    beyondArgoCd(applicationSet, extensions) {
      logger.warn({ applicationSet, extensions }, 'the ApplicationSet would not work with Argo CD')
    },
  }
}
