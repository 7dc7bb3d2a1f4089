import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startClusterFixture } from '@wadi/state/cluster-fixture.ts'
import { freePort } from '@wadi/testing/free-port.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { until } from '@wadi/testing/until.ts'
import { startHydrator } from './hydrator.ts'
import { hydratorSettings } from './settings.ts'

test('without Redis a second hydrator of a cluster is not ready and says what to do, until the first ends', async () => {
  await using cluster = await startClusterFixture()
  await cluster.api.applyCrds(...crdFiles)
  cluster.api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } })
  const start = async () => {
    const listen = `127.0.0.1:${await freePort()}`
    const env = { ...cluster.env, WADI_LISTEN: listen }
    const readyz = async () => {
      const answer = await fetch(`http://${listen}/readyz`).catch(() => undefined)
      return answer && `${answer.status} ${await answer.text()}`
    }
    return { listen, readyz, hydrator: startHydrator(readSettings(hydratorSettings, { env, argv: [] })) }
  }
  const first = await start()
  const running = await first.hydrator
  const second = await start()
  await until(async () => (await second.readyz())?.includes('works already') === true)
  assert.match(
    (await second.readyz()) ?? '',
    new RegExp(
      `^503 store: \\S+ ${first.listen} works already, .*; set WADI_REDIS_URL for all hydrators, so that they share a queue, or run one replica\n$`,
    ),
  )
  assert.match((await first.readyz()) ?? '', /^200/)
  const call = await fetch(`http://${second.listen}/wadi.hydrator.v1.HydratorService/PollNow`, {
    method: 'POST',
  })
  assert.deepEqual(
    [call.status, await call.json()],
    [503, { code: 'unavailable', message: 'hydrator is not ready' }],
  )
  await running[Symbol.asyncDispose]()
  await using _ = await second.hydrator
  assert.match((await second.readyz()) ?? '', /^200/)
})
