import { CountedServices } from '@wadi/integration-tests/kubernetes/counts-fixture.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, information, type Measurement } from '../measurement.ts'
import { cpuSeconds } from '../process-tree.ts'

const standardApplications = 500
const standardRounds = 5
const bar = 1.5

/**
 * A dry commit that changes one of many Applications of a branch, for a hydrator that starts with what it knew of the branch, and for one that has
 * never seen it, whose data directory is empty. Without what hydrators share in Redis, the second compares the whole branch: the last row.
 */
export async function measureFirstSight(effort: Effort): Promise<Measurement[]> {
  const count = effort.applications(standardApplications)
  await using services = await CountedServices.start({ WADI_POLL_INTERVAL: '500ms' })
  await services.addRepoServer()
  const push = await services.addRepository('seen', count)
  let directories = 0
  const change = async (directory: string): Promise<Cost> => {
    const sha = await push(1)
    const [begunAt, before] = [performance.now(), cpuSeconds(process.pid)]
    await using _ = await services.startHydratorIn(directory)
    await services.hydratedAt([sha], 1)
    return { wall: (performance.now() - begunAt) / 1000, cpu: cpuSeconds(process.pid) - before }
  }
  for (let warmUp = 0; warmUp < 3; warmUp++) await change('known')
  const costs = { known: [] as Cost[], unseen: [] as Cost[], alone: [] as Cost[] }
  for (let round = 0; round < effort.rounds(standardRounds); round++) {
    costs.known.push(await change('known'))
    costs.unseen.push(await change(`unseen-${directories++}`))
    await services.redis.restart()
    costs.alone.push(await change(`unseen-${directories++}`))
    // Knows the head that another hydrator made.
    await change('known')
  }
  const [known, unseen, alone] = [cheapest(costs.known), cheapest(costs.unseen), cheapest(costs.alone)]
  const name = `kubernetes, a change of one of ${count} Applications of a branch`
  const basis = `cheapest of ${costs.known.length}: ${costText(unseen)} to ${costText(known)}`
  return [
    atMost(
      `${name}, hydrator that has never seen it to one that has`,
      unseen.cpu / known.cpu,
      '× cpu',
      bar,
      basis,
    ),
    information(`${name}, the same with an empty Redis`, alone.cpu / known.cpu, '× cpu', costText(alone)),
  ]
}

function cheapest(costs: readonly Cost[]): Cost {
  return costs.reduce((least, one) => (one.cpu < least.cpu ? one : least))
}
