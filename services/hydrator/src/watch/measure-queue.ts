import { setTimeout as pause } from 'node:timers/promises'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'

/** Less than a reader of metrics waits. */
const answerTimeoutMs = 2_000

/** Counts the branches in the queue whenever metrics are read; there is no count while the queue does not answer. */
export function measureQueue(metrics: MetricsRegistry, queue: Pick<BranchQueue, 'depth'>): void {
  metrics.gauge(
    'queue_jobs',
    'Hydrated branches in the queue of all hydrators: waiting, active, or delayed after a failure.',
    ['state'],
    async (gauge) => {
      gauge.reset()
      const ended = new AbortController()
      const late = pause(answerTimeoutMs, undefined, { signal: ended.signal, ref: false })
      const depth = await Promise.race([queue.depth(), late]).catch(() => undefined)
      ended.abort()
      late.catch(() => undefined)
      for (const [state, jobs] of Object.entries(depth ?? {})) gauge.set({ state }, jobs)
    },
  )
}
