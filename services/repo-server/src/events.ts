import type { FastReports } from '@wadi/rendering/fast/two-ways.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** Counts renders by the way in which they were made, and warns of what is left to the tool. */
export function reportFastRenders(metrics: MetricsRegistry, logger: Logger): FastReports {
  const renders = metrics.counter(
    'fast_renders_total',
    'Renders that could be made without the tool, by how they were made.',
    ['renderer', 'outcome'],
  )
  return {
    rendered: (renderer, outcome) => renders.inc({ renderer, outcome }),
    distrusted: (renderer, message) => logger.warn({ renderer }, message),
  }
}
