import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { redisAvailable } from '@wadi/testing/redis-server.ts'
import { CountedServices } from './counts-fixture.ts'

suite('what services ask of others', { skip: (await redisAvailable()) ? false : 'there is no Redis' }, () => {
  test('a change of 100 Applications costs 20 requests of the Kubernetes API at most, and idleness no list', async () => {
    const intervalMs = 300
    await using services = await CountedServices.start({ WADI_POLL_INTERVAL: `${intervalMs}ms` })
    await services.addRepoServer()
    const push = await services.addRepository('dry', 100)
    await using _ = await services.startHydrators(2)
    const { requests = [] } = services.cluster
    const asked = (since: number) =>
      requests
        .slice(since)
        .filter((request) => !request.startsWith('watch ') && request !== 'list hydratedbranches')
    await services.hydratedAt([await push()], 1)
    await services.resting()
    const before = requests.length
    await services.hydratedAt([await push()], 1)
    await services.resting()
    const ofChange = asked(before)
    assert.ok(ofChange.length >= 3 && ofChange.length <= 20, ofChange.join(', '))
    const idle = requests.length
    await delay(3 * intervalMs)
    assert.deepEqual(requests.slice(idle), [])
  })

  test('each repository is asked once in an interval by 1 hydrator and by 4', async () => {
    const intervalMs = 300
    await using services = await CountedServices.start({ WADI_POLL_INTERVAL: `${intervalMs}ms` })
    await services.addRepoServer()
    const shas: string[] = []
    for (const name of ['a', 'b', 'c']) shas.push(await (await services.addRepository(name, 1))())
    for (const hydrators of [1, 4]) {
      await using _ = await services.startHydrators(hydrators)
      await services.hydratedAt(shas, 3)
      // A hydrator that starts looks once for itself, and queues all branches 600 ms later.
      await delay(1_000)
      const { looks, intervals } = await services.looksWithin(6, intervalMs)
      // On a busy machine what a start looks at may come late; each for itself, four would look four times as often.
      assert.ok(
        looks <= 2 * 3 * (intervals + 1),
        `${looks} looks at 3 repositories in ${intervals} intervals by ${hydrators}`,
      )
    }
  })

  test('each of 12 repositories is fetched by one of 4 repo-servers, and few again when there are 5', async () => {
    await using services = await CountedServices.start({ WADI_POLL_INTERVAL: '500ms' })
    const { mirrors, again } = await services.mirrorsOfFourAndFive(12)
    assert.equal(mirrors, 12)
    // A fifth of them, but for chance: their addresses and those of the servers are others in each run. By modulo it would be 10.
    assert.ok(again <= 8, `${again} repositories`)
  })
})
