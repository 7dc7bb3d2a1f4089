import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** What happens in an appset-service, counted and logged in one place. */
export interface AppsetServiceEvents {
  /** An ApplicationSet generated its Applications. */
  generated(applicationSet: string, applications: number): void
  /** An ApplicationSet uses what Argo CD has not. */
  beyondArgoCd(applicationSet: string, extensions: readonly string[]): void
}

/** Events that count into `metrics` and log. */
export function createAppsetServiceEvents(logger: Logger, metrics: MetricsRegistry): AppsetServiceEvents {
  const generated = metrics.counter(
    'applications_generated_total',
    'Applications generated from ApplicationSets.',
  )
  return {
    generated(applicationSet, applications) {
      generated.inc(applications)
      logger.debug({ applicationSet, applications }, 'applications generated')
    },
    beyondArgoCd(applicationSet, extensions) {
      logger.warn({ applicationSet, extensions }, 'the ApplicationSet would not work with Argo CD')
    },
  }
}
