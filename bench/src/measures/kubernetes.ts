import { redisAvailable } from '@wadi/testing/redis-server.ts'
import type { Effort } from '../effort.ts'
import { type Attempt, notMeasured } from '../measurement.ts'
import { measureCaches } from './kubernetes-caches.ts'
import { measureFirstSight } from './kubernetes-first-sight.ts'
import { measureScaling } from './kubernetes-scaling.ts'

/**
 * Measures the costs of services in a cluster and how they scale, each on its own: a failure stops none of the others. What services ask of
 * others, and what faults cost, are counts, which the tests of clusters assert. At the smallest size the caches alone are measured.
 */
export async function measureKubernetes(effort: Effort, attempt: Attempt): Promise<void> {
  await attempt('caches', () => measureCaches(effort, attempt))
  if (effort.rounds(2) === 1) return
  if (!(await redisAvailable())) {
    const missing = notMeasured('kubernetes, what several services do', 'redis-server is not installed')
    await attempt('what several services do', async () => [missing])
    return
  }
  await attempt('a branch never seen', () => measureFirstSight(effort))
  await attempt('scaling', () => measureScaling(effort))
}
