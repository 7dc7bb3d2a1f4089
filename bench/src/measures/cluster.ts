import { HydratedApplication } from '@wadi/integration-tests/kubernetes-node/hydrated-application-fixture.ts'
import { byForce, Release, twoOfEach } from '@wadi/integration-tests/kubernetes-node/release-fixture.ts'
import { startReleaseNode } from '@wadi/integration-tests/kubernetes-node/release-node-fixture.ts'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Measurement, notMeasured } from '../measurement.ts'

const pushes = 200

/**
 * Pushes to two pods of each service while each pod is deleted in turn, gracefully and by force, and replaces all pods under calls. At the
 * smallest size nothing is done: the tests of pods run the code, which takes minutes.
 */
export async function measureCluster(effort: Effort): Promise<Measurement[]> {
  if (effort.rounds(2) === 1) return []
  const missing = nodeMissing()
  if (missing !== undefined) return [notMeasured('cluster', missing)]
  await using owned = new AsyncDisposableStack()
  const node = owned.use(await startReleaseNode())
  const release = owned.use(await Release.install(node, 'available', twoOfEach))
  const web = await HydratedApplication.add(release, owned)
  const load = await release.load()
  await release.restart()
  await load.end()
  let deleted = 0
  while (web.pushed.length < pushes) {
    // The next of its service takes its place in this order.
    const pods = (await release.pods()).toSorted()
    await web.pushAround(pods[deleted % pods.length] ?? '', ...(deleted % 2 === 0 ? [] : byForce))
    deleted++
  }
  const hydrated = await web.dryCommits()
  const basis = `${web.pushed.length} dry commits, ${deleted} pods deleted`
  const seen = new Set(hydrated)
  return [
    atMost('cluster, dry commits lost', web.pushed.filter((one) => !seen.has(one)).length, '', 0, basis),
    atMost('cluster, dry commits hydrated twice', hydrated.length - seen.size, '', 0, basis),
    atMost('cluster, failed calls in a rollout', load.failures.length, '', 0, `${load.calls} calls`),
  ]
}
