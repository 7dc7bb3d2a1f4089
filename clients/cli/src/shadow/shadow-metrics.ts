import { listenForMetrics } from '@wadi/rpc/metrics-listener.ts'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { type ShadowedApplication, shadowOutcomes } from './shadow-application.ts'

/** The metrics of a watch. */
interface ShadowMetrics extends AsyncDisposable {
  /** `http://host:port`. */
  readonly address: string
  /**
   * Takes over the newest comparisons.
   * @param fresh those that are not as the ones before them
   */
  show(results: readonly ShadowedApplication[], fresh: readonly ShadowedApplication[]): void
}

/** Serves `/metrics` at an address: `host:port`, where port 0 takes a free one. */
export async function openShadowMetrics(listen: string): Promise<ShadowMetrics> {
  const metrics = createMetrics('shadow')
  const applications = metrics.gauge(
    'shadow_applications',
    'Applications by their newest comparison with what another system hydrated: identical, equal, differs, missing or failed.',
    ['outcome'],
  )
  const comparisons = metrics.counter(
    'shadow_comparisons_total',
    'Comparisons of new commits of Applications, with the same outcomes.',
    ['outcome'],
  )
  const last = metrics.gauge(
    'shadow_last_comparison_timestamp_seconds',
    'The time when all were compared last; 0 before that.',
  )
  const newest = metrics.gauge(
    'shadow_newest_commit_timestamp_seconds',
    'The time of the newest hydrated commit that was compared; 0 before the first one.',
  )
  const logger = createLogger({ service: 'shadow', level: 'error', format: 'text' })
  const listener = await listenForMetrics(listen, { metrics, logger })
  return {
    address: listener.address,
    show: (results, fresh) => {
      for (const outcome of shadowOutcomes) {
        applications.set({ outcome }, results.filter((result) => result.outcome === outcome).length)
        comparisons.inc({ outcome }, fresh.filter((result) => result.outcome === outcome).length)
      }
      last.set(Date.now() / 1000)
      const times = results.map(({ hydratedAt }) => Date.parse(hydratedAt) / 1000)
      newest.set(Math.max(0, ...times.filter(Number.isFinite)))
    },
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  }
}
