import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { ChaosMesh } from './chaos-fixture.ts'

const frozenMs = 1_000
const troubleBar = 1.5

/** The services that work on a request of git, by the end of its path. */
const moments = { 'repo-server': '/git-upload-pack', 'commit-server': '/git-receive-pack' } as const

suite('services that are frozen', { skip: (await redisAvailable()) ? false : 'there is no Redis' }, () => {
  let chaos: ChaosMesh
  before(async () => {
    chaos = await ChaosMesh.start({ repositories: 2, branchesOfEach: 1, lockMs: 1_500 })
  })
  after(() => chaos[Symbol.asyncDispose]())

  for (const service of ['repo-server', 'commit-server'] as const) {
    test(`every ${service} ends its work when it wakes, once, and the gateways beside it answer`, async () => {
      const { processes, git, fixture } = chaos.mesh
      const victims = [...processes[service], ...processes['api-gateway']]
      const signal = (name: NodeJS.Signals) => {
        for (const victim of victims) victim.signal(name)
      }
      const working = Promise.withResolvers<void>()
      git.listen(async ({ path }) => {
        if (path.endsWith(moments[service])) {
          signal('SIGSTOP')
          working.resolve()
        }
        return undefined
      })
      const { runsPerChange } = await chaos.change(async () => {
        await working.promise
        git.listen(undefined)
        const answer = fixture.gateway.applications.listApplications({})
        await delay(frozenMs)
        signal('SIGCONT')
        assert.equal((await answer).applications.length, 2)
      })
      assert.ok(runsPerChange <= troubleBar, `${runsPerChange} runs for each branch and change`)
    })
  }
})
