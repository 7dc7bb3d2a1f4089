import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReplicaAddresses } from './replica-addresses.ts'
import { type SrvAnswer, startNameServer } from './name-server-fixture.ts'

const name = '_grpc._tcp.repo-server.wadi.svc.cluster.local'

test('an SRV name stands for all addresses that it lists, beside those that are named', async () => {
  const answer = [
    { host: 'repo-server-1.repo-server.wadi.svc.cluster.local', port: 8081 },
    { host: 'repo-server-0.repo-server.wadi.svc.cluster.local', port: 8081 },
  ]
  await using server = await startNameServer(() => answer)
  const endpoints = [`srv+https://${name}`, 'http://10.0.0.9:8081']
  const addresses = new ReplicaAddresses('repo-server', endpoints, server.resolver)
  assert.deepEqual(await addresses.current(), [
    'http://10.0.0.9:8081',
    'https://repo-server-0.repo-server.wadi.svc.cluster.local:8081',
    'https://repo-server-1.repo-server.wadi.svc.cluster.local:8081',
  ])
  assert.deepEqual(server.questions, [name])
})

test('replicas that come and go are seen within seconds, and the last answer serves while no name server answers', async (context) => {
  let answer: SrvAnswer = [{ host: 'a.local', port: 1 }]
  await using server = await startNameServer(() => answer)
  const addresses = new ReplicaAddresses('repo-server', [`srv+http://${name}`], server.resolver)
  assert.deepEqual(await addresses.current(), ['http://a.local:1'])
  let now = performance.now()
  context.mock.method(performance, 'now', () => now)
  const after = async (seconds: number): Promise<readonly string[]> => {
    now += seconds * 1000
    const asked = server.questions.length
    await addresses.current()
    while (server.questions.length === asked) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
    return addresses.current()
  }
  answer = [...answer, { host: 'b.local', port: 1 }]
  assert.deepEqual(await after(6), ['http://a.local:1', 'http://b.local:1'])
  answer = 'failure'
  assert.deepEqual(await after(6), ['http://a.local:1', 'http://b.local:1'])
  answer = []
  assert.deepEqual(await after(6), [])
})

test('a name server that fails is named as long as there is no earlier answer', async () => {
  await using server = await startNameServer(() => 'failure')
  const addresses = new ReplicaAddresses('repo-server', [`srv+http://${name}`], server.resolver)
  await assert.rejects(addresses.current(), {
    name: 'UnavailableError',
    message: /^cannot look up the SRV records of _grpc\._tcp\.repo-server/,
  })
})
