import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import type { ChangeOutcome } from './branch-ledger-fixture.ts'
import { type ChaosMesh, sharedChaosMesh, sharedLockMs } from './chaos-fixture.ts'

const troubleBar = 1.5

function assertRuns({ runsPerChange }: ChangeOutcome): void {
  assert.ok(runsPerChange <= troubleBar, `${runsPerChange} runs for each branch and change`)
}

suite('services of a cluster', { skip: (await redisAvailable()) ? false : 'there is no Redis' }, () => {
  let chaos: ChaosMesh
  before(async () => {
    chaos = await sharedChaosMesh()
  })

  test('the branches of services that are killed in the middle of runs are taken over', async () => {
    assertRuns((await chaos.killDuringRuns()).outcome)
  })

  test('a hydrator that is frozen for longer than its lock does no harm when it wakes', async () => {
    const [hydrator] = chaos.mesh.processes.hydrator
    const outcome = await chaos.change(async () => {
      hydrator?.signal('SIGSTOP')
      await delay(1.5 * sharedLockMs)
      hydrator?.signal('SIGCONT')
    })
    assertRuns(outcome)
  })

  test('when every process is replaced under load, no call at the gateway fails', async () => {
    let restarted: Awaited<ReturnType<ChaosMesh['restartAll']>> | undefined
    await chaos.change(async () => {
      restarted = await chaos.restartAll()
    })
    assert.deepEqual(restarted?.errors, [])
    assert.ok((restarted?.calls ?? 0) > 20)
  })
})
