import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { startNameServer } from './name-server-fixture.ts'
import { ownershipAmong } from './ownership.ts'

const keys = Array.from({ length: 40 }, (_, index) => `argocd/set-${index}`)
const name = '_grpc._tcp.appset-service.wadi.svc.cluster.local'

test('each key has one owner among the replicas of a machine', async () => {
  const endpoints = [8001, 8002, 8003].map((port) => `http://127.0.0.1:${port}`)
  const replicas = [8001, 8002, 8003].map((port) =>
    ownershipAmong('appset-service', endpoints, { listen: `127.0.0.1:${port}` }),
  )
  for (const key of keys) {
    const owned = await Promise.all(replicas.map((replica) => replica.owns(key)))
    assert.equal(owned.filter(Boolean).length, 1)
  }
})

test('a pod knows itself by its host name and by its address in the name of a Deployment', async () => {
  const own = [hostname().toLowerCase(), '127-0-0-1']
  for (const label of own) {
    await using server = await startNameServer(() => [
      { host: `${label}.appset-service.wadi.svc.cluster.local`, port: 8087 },
      { host: '10-9-9-9.appset-service.wadi.svc.cluster.local', port: 8087 },
    ])
    const ownership = ownershipAmong('appset-service', [`srv+http://${name}`], {
      listen: '0.0.0.0:8087',
      resolver: server.resolver,
    })
    const owned = await Promise.all(keys.map((key) => ownership.owns(key)))
    const count = owned.filter(Boolean).length
    assert.ok(count > 5 && count < 35, `${count} of 40`)
  }
})

test('a replica that is not ready owns nothing, and without an answer of the name server it owns everything', async () => {
  await using others = await startNameServer(() => [{ host: '10-9-9-9.appset-service.local', port: 8087 }])
  await using broken = await startNameServer(() => 'failure')
  const owns = (resolver: typeof others.resolver) =>
    ownershipAmong('appset-service', [`srv+http://${name}`], { listen: '0.0.0.0:8087', resolver }).owns(
      'argocd/set',
    )
  assert.equal(await owns(others.resolver), false)
  assert.equal(await owns(broken.resolver), true)
})

test('a service without addresses of its replicas has one', async () => {
  assert.equal(await ownershipAmong('appset-service', [], { listen: '127.0.0.1:1' }).owns('argocd/set'), true)
})
