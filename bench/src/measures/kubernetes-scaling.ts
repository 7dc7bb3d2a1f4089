import { setTimeout as delay } from 'node:timers/promises'
import { CountedServices } from '@wadi/integration-tests/kubernetes/counts-fixture.ts'
import { waitingRenderer } from '@wadi/integration-tests/kubernetes/waiting-renderer-fixture.ts'
import type { Effort } from '../effort.ts'
import { atMost, information, type Measurement } from '../measurement.ts'

const branches = 8
const renderMs = 2_000
/** Within 15 % of linear: 0.85 of the speed. */
const scalingBar = 1 / 0.85

/**
 * Hydrates eight branches whose renders take two seconds with 1, 2 and 4 hydrators that render one branch at a time each. The shorter a round
 * the more it suffers from what else the machine does, so each number of hydrators gets equally long: 1, 2 and 4 rounds, of which the best is
 * taken. All of them are printed.
 */
export async function measureScaling(effort: Effort): Promise<Measurement[]> {
  const isSmallest = effort.rounds(2) === 1
  const begun: number[] = []
  const renderer = waitingRenderer(async () => {
    begun.push(performance.now())
    await delay(isSmallest ? renderMs / 10 : renderMs)
  })
  await using services = await CountedServices.start({
    WADI_POLL_INTERVAL: '500ms',
    WADI_RENDER_PARALLELISM: String(branches),
  })
  await services.addRepoServer({ renderers: [renderer] })
  const push = await services.addRepository('slow', branches, (application) => `environments/${application}`)
  const seconds: number[] = []
  const measured: Measurement[] = []
  for (const hydrators of [1, 2, 4]) {
    await using _ = await services.startHydratorProcesses(hydrators, { WADI_HYDRATION_CONCURRENCY: '1' })
    await services.hydratedAt([await push()], branches)
    const rounds: number[] = []
    for (let round = 0; round < hydrators; round++) {
      begun.length = 0
      await services.hydratedAt([await push()], branches)
      rounds.push((performance.now() - (begun[0] ?? 0)) / 1000)
    }
    const took = Math.min(...rounds)
    seconds.push(took)
    const [alone = 0] = seconds
    const all = rounds.map((one) => one.toFixed(2)).join(', ')
    const name = `kubernetes, ${branches} renders of ${renderMs / 1000} s, ${hydrators} hydrators`
    measured.push(
      hydrators === 1
        ? information(name, took, 's', 'each renders one branch at a time')
        : atMost(`${name} to linear`, (hydrators * took) / alone, '×', scalingBar, `rounds of ${all} s`),
    )
  }
  return measured
}
