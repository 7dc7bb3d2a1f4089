import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { type Attempt, notMeasured } from '../measurement.ts'
import type { Effort } from '../effort.ts'
import { measureCaches } from './kubernetes-caches.ts'
import { measureChaos } from './kubernetes-chaos.ts'
import { measureLooks, measureMirrors, measureRequests, measureRuns } from './kubernetes-counts.ts'
import { measureFirstSight } from './kubernetes-first-sight.ts'
import { measureScaling } from './kubernetes-scaling.ts'

const ofServices = {
  'runs of each change': measureRuns,
  'requests of the Kubernetes API': measureRequests,
  'looks at repositories': measureLooks,
  mirrors: measureMirrors,
  'a branch never seen': measureFirstSight,
  scaling: measureScaling,
  chaos: measureChaos,
}

/**
 * Measures the costs of services in a cluster, how they scale, and the costs of faults, each on its own: a failure stops none of the
 * others. At the smallest size only their requests are counted: the tests of clusters run the code of the others, which takes minutes.
 */
export async function measureKubernetes(effort: Effort, attempt: Attempt): Promise<void> {
  await attempt('caches', () => measureCaches(effort, attempt))
  if (!(await redisAvailable())) {
    const missing = notMeasured('kubernetes, what several services do', 'redis-server is not installed')
    await attempt('what several services do', async () => [missing])
    return
  }
  const isSmallest = effort.rounds(2) === 1
  const chosen = isSmallest ? { 'requests of the Kubernetes API': measureRequests } : ofServices
  for (const [what, measure] of Object.entries(chosen)) await attempt(what, () => measure(effort, attempt))
}
