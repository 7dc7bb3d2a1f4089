import { changeAll } from '@wadi/integration-tests/kubernetes/branch-ledger-fixture.ts'
import { CountedServices } from '@wadi/integration-tests/kubernetes/counts-fixture.ts'
import { ownClusterKinds } from '@wadi/integration-tests/kubernetes/own-cluster-fixture.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { Effort } from '../effort.ts'
import { type Attempt, atMost, type Measurement } from '../measurement.ts'

const quietBar = 1.05
const troubleBar = 1.5
const requestBar = 0.2
const againBar = 0.25
const pollMs = 700
const rounds = 3

/** Runs for each branch and change of two hydrators, without trouble and when the API server or Redis are away. */
export async function measureRuns(effort: Effort, attempt: Attempt): Promise<Measurement[]> {
  const kind = ownClusterKinds.findLast(({ missing }) => missing === undefined)
  await using services = await CountedServices.start({ WADI_POLL_INTERVAL: `${pollMs}ms` }, kind?.open)
  await services.addRepoServer()
  const ledger = await services.addLedger({ repositories: 4, branchesOfEach: 3 })
  await using _ = await services.startHydrators(2)
  await ledger.hydrated()
  await delay(2 * pollMs)
  const { cluster, redis } = services
  const measure = (what: string, bar: number, trouble?: () => Promise<void>) =>
    attempt(`runs, ${what}`, async () => {
      const counts: number[] = []
      for (let round = 0; round < effort.rounds(rounds); round++) {
        const countRuns = () => services.countRuns()
        counts.push((await changeAll({ ledger, settleMs: 2 * pollMs, countRuns }, trouble)).runsPerChange)
      }
      const basis = `${kind?.name}, ${ledger.count} branches, ${counts.length} changes; most runs, all branches whole`
      const name = `kubernetes, runs for each branch and change, ${what}`
      return [atMost(name, Math.max(...counts), '', bar, basis)]
    })
  await measure('without trouble', quietBar)
  await measure('API server frozen, killed, restarted', troubleBar, async () => {
    cluster.freeze()
    await delay(1_500)
    cluster.thaw()
    await cluster.kill()
    await delay(1_000)
    await cluster.restart()
  })
  await measure('Redis killed and empty', troubleBar, async () => {
    await redis.kill()
    await delay(500)
    await redis.restart()
  })
  return []
}

/** Requests of the Kubernetes API for a change of many Applications, and while nothing changes. */
export async function measureRequests(effort: Effort): Promise<Measurement[]> {
  const count = effort.applications(100)
  await using services = await CountedServices.start({ WADI_POLL_INTERVAL: '300ms' })
  await services.addRepoServer()
  const push = await services.addRepository('dry', count)
  await using _ = await services.startHydrators(2)
  const { requests = [] } = services.cluster
  await services.hydratedAt([await push()], 1)
  await services.resting()
  const before = requests.length
  await services.hydratedAt([await push()], 1)
  await services.resting()
  // What waits for the records is the benchmark itself.
  const asked = requests
    .slice(before)
    .filter((request) => !request.startsWith('watch ') && request !== 'list hydratedbranches')
  const idle = requests.length
  await delay(3_000)
  const lists = requests.slice(idle).filter((request) => request.startsWith('list '))
  return [
    atMost(
      'kubernetes, API requests for each hydrated Application',
      asked.length / count,
      '',
      requestBar,
      `${asked.length} for a change of ${count} Applications of a branch`,
    ),
    atMost('kubernetes, lists while idle', lists.length, '', 0, '2 hydrators in 3 s, 10 polls'),
  ]
}

/** Looks at a repository in an interval by 1, 2 and 4 hydrators. */
export async function measureLooks(effort: Effort, attempt: Attempt): Promise<Measurement[]> {
  await using services = await CountedServices.start({ WADI_POLL_INTERVAL: `${pollMs}ms` })
  await services.addRepoServer()
  const names = ['a', 'b', 'c']
  const shas: string[] = []
  for (const name of names) shas.push(await (await services.addRepository(name, 1))())
  const measure = async (hydrators: number): Promise<Measurement[]> => {
    await using _ = await services.startHydrators(hydrators)
    await services.hydratedAt(shas, names.length)
    await delay(2 * pollMs)
    const { looks, intervals } = await services.looksWithin(2 * effort.rounds(rounds), pollMs)
    // As many polls may begin within the time.
    const polls = Math.floor(intervals) + 1
    const name = `kubernetes, ls-remote for each repository and interval, ${hydrators} hydrators`
    const basis = `${looks} of ${names.length} repositories in ${intervals.toFixed(1)} intervals`
    return [atMost(name, looks / (names.length * polls), '', 1, basis)]
  }
  for (const hydrators of [1, 2, 4])
    await attempt(`looks of ${hydrators} hydrators`, () => measure(hydrators))
  return []
}

/** Measures how many repo-servers fetch a repository, and how many are fetched again when a fifth one comes. */
export async function measureMirrors(effort: Effort): Promise<Measurement[]> {
  const count = effort.applications(40)
  await using services = await CountedServices.start({ WADI_POLL_INTERVAL: '1s' })
  const { mirrors, again } = await services.mirrorsOfFourAndFive(count, effort.rounds(2))
  const average = again.reduce((sum, one) => sum + one, 0) / again.length
  return [
    atMost(
      'kubernetes, repo-servers that fetch a repository, of 4',
      mirrors / count,
      '',
      1,
      `${count} repositories`,
    ),
    atMost(
      'kubernetes, repositories fetched again at 4 → 5 repo-servers',
      average / count,
      '',
      againBar,
      `${again.join(', ')} of ${count} with one fifth server each`,
    ),
  ]
}
