import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { ChaosMesh } from './chaos-fixture.ts'

const troubleBar = 1.5
/** Time for which a job stays with a hydrator that is gone. */
const lockMs = 1_500
const frozenMs = 1_000

/** The services that work on a request of git, by the end of its path. */
const moments = { 'repo-server': '/git-upload-pack', 'commit-server': '/git-receive-pack' } as const

function assertRuns(runsPerChange: number): void {
  assert.ok(runsPerChange <= troubleBar, `${runsPerChange} runs for each branch and change`)
}

suite('services of a cluster', { skip: (await redisAvailable()) ? false : 'there is no Redis' }, () => {
  let chaos: ChaosMesh
  before(async () => {
    chaos = await ChaosMesh.start({ repositories: 2, branchesOfEach: 3, lockMs })
  })
  after(() => chaos[Symbol.asyncDispose]())

  test('the branches of services that are killed in the middle of runs are taken over', async () => {
    assertRuns(await chaos.killDuringRuns())
  })

  test('a hydrator that is frozen for longer than its lock does no harm when it wakes', async () => {
    const [hydrator] = chaos.mesh.processes.hydrator
    const outcome = await chaos.change(async () => {
      hydrator?.signal('SIGSTOP')
      await delay(1.5 * lockMs)
      hydrator?.signal('SIGCONT')
    })
    assertRuns(outcome)
  })

  for (const service of ['repo-server', 'commit-server'] as const) {
    test(`every ${service} that is frozen ends its work when it wakes, once, and the gateways beside it answer`, async () => {
      const { processes, git, fixture } = chaos.mesh
      const victims = [...processes[service], ...processes['api-gateway']]
      const signal = (name: NodeJS.Signals) => {
        for (const victim of victims) victim.signal(name)
      }
      const working = Promise.withResolvers<void>()
      git.listen(async ({ path: asked }) => {
        if (asked.endsWith(moments[service])) {
          signal('SIGSTOP')
          working.resolve()
        }
        return undefined
      })
      const outcome = await chaos.change(async () => {
        await working.promise
        git.listen(undefined)
        const answer = fixture.gateway.applications.listApplications({})
        await delay(frozenMs)
        signal('SIGCONT')
        assert.equal((await answer).applications.length, chaos.ledger.count)
      })
      assertRuns(outcome)
    })
  }

  test('when every process is replaced under load, no call at the gateway fails', async () => {
    let restarted: Awaited<ReturnType<ChaosMesh['restartAll']>> | undefined
    await chaos.change(async () => {
      restarted = await chaos.restartAll()
    })
    assert.deepEqual(restarted?.errors, [])
    assert.ok((restarted?.calls ?? 0) > 20)
  })
})
