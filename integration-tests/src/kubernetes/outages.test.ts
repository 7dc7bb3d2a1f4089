import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { type BranchLedger, changeAll } from './branch-ledger-fixture.ts'
import { CountedServices } from './counts-fixture.ts'
import { ownClusterKinds } from './own-cluster-fixture.ts'

const quietBar = 1.05
const troubleBar = 1.5
const pollMs = 500

const redisMissing = (await redisAvailable()) ? undefined : 'there is no Redis'

for (const { name, missing, open } of ownClusterKinds) {
  suite(`two hydrators whose cluster is the ${name}`, { skip: missing ?? redisMissing ?? false }, () => {
    const owned = new AsyncDisposableStack()
    let services: CountedServices
    let ledger: BranchLedger
    before(async () => {
      services = owned.use(await CountedServices.start({ WADI_POLL_INTERVAL: `${pollMs}ms` }, open))
      await services.addRepoServer()
      ledger = await services.addLedger({ repositories: 2, branchesOfEach: 3 })
      owned.use(await services.startHydrators(2))
      await ledger.hydrated()
    })
    after(() => owned.disposeAsync())

    /** Makes trouble during a change, which must take at most so many runs for each branch. */
    async function assertRuns(bar: number, trouble?: () => Promise<void>): Promise<void> {
      const countRuns = () => services.countRuns()
      const runsPerChange = await changeAll({ ledger, settleMs: 1.5 * pollMs, countRuns }, trouble)
      assert.ok(runsPerChange <= bar, `${runsPerChange} runs for each branch and change`)
    }

    test('a change is hydrated once on every branch', async () => {
      // What a first hydration left to be seen, such as marks of Applications, is seen.
      await delay(1.5 * pollMs)
      await assertRuns(quietBar)
    })

    test('an API server that is frozen, or killed and started without its history, delays and loses nothing', async () => {
      const { cluster } = services
      await assertRuns(troubleBar, async () => {
        cluster.freeze()
        await delay(2 * pollMs)
        cluster.thaw()
        await cluster.kill()
        await delay(pollMs)
        await cluster.restart()
      })
    })

    test('a Redis that is killed and comes back empty loses nothing', async () => {
      const { redis } = services
      await assertRuns(troubleBar, async () => {
        await redis.kill()
        await delay(pollMs)
        await redis.restart()
      })
    })
  })
}
