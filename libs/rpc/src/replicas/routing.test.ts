import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type ConnectRouter, createContextValues } from '@connectrpc/connect'
import {
  type CommitManifestsRequestSchema,
  CommitServerService,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { createServiceClient } from '../create-client.ts'
import { createTestClient, startTestServer, testKey } from '../server-fixture.ts'
import { createServiceIdentity } from '../service-identity.ts'
import { rendezvousOrder } from './rendezvous.ts'
import { ReplicaAddresses } from './replica-addresses.ts'
import { ReplicaConnections } from './replica-connections.ts'
import { replicaRank } from './route.ts'

const unusedTransport = {
  unary: () => assert.fail('no call is made'),
  stream: () => assert.fail('no call is made'),
}

const routeKeyOf = (message: unknown): string | undefined =>
  typeof message === 'object' && message !== null && 'service' in message
    ? String(message.service)
    : undefined

async function startReplicas(count: number) {
  await using started = new AsyncDisposableStack()
  const calls: string[] = []
  const replicas: Awaited<ReturnType<typeof startTestServer>>[] = []
  for (let index = 0; index < count; index++) {
    const record = (service: string): void => void calls.push(`${service} at ${index}`)
    const server = await startTestServer({
      rpcs: {
        check: ({ service }) => {
          record(service)
          return {}
        },
        async *watch({ service }) {
          record(service)
          yield {}
        },
      },
    })
    replicas.push(started.use(server))
  }
  const owned = started.move()
  return { calls, replicas, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('calls with one key reach one replica, calls and streams alike, and keys are spread', async () => {
  await using bed = await startReplicas(3)
  const endpoints = bed.replicas.map(({ address }) => address)
  await using client = await createTestClient(endpoints, { routeKeyOf })
  await using other = await createTestClient(endpoints.toReversed(), { routeKeyOf })
  for (let key = 0; key < 20; key++) {
    await client.check({ service: `key ${key}` })
    await other.check({ service: `key ${key}` })
    await Array.fromAsync(client.watch({ service: `key ${key}` }))
  }
  const places = Map.groupBy(new Set(bed.calls), (call) => call.slice(0, call.indexOf(' at')))
  assert.ok([...places.values()].every(({ length }) => length === 1))
  assert.equal(new Set(bed.calls.map((call) => call.slice(-1))).size, 3)
})

test('a rank names the next replicas in order', async () => {
  await using bed = await startReplicas(3)
  await using client = await createTestClient(
    bed.replicas.map(({ address }) => address),
    { routeKeyOf },
  )
  assert.equal(await client.replicas(), 3)
  for (const rank of [0, 1, 2, 3]) {
    await client.check({ service: 'hot' }, { contextValues: createContextValues().set(replicaRank, rank) })
  }
  assert.equal(new Set(bed.calls).size, 3)
  assert.equal(bed.calls[0], bed.calls[3])
})

test('the next in order takes the calls of a replica that is away', async () => {
  await using bed = await startReplicas(2)
  const endpoints = bed.replicas.map(({ address }) => address)
  await using client = await createTestClient(endpoints, { routeKeyOf })
  await client.check({ service: 'key' })
  const owner = Number(bed.calls[0]?.slice(-1))
  await bed.replicas[owner]?.[Symbol.asyncDispose]()
  for (let call = 0; call < 3; call++) await client.check({ service: 'key' })
  assert.deepEqual(
    bed.calls.slice(1),
    ['key', 'key', 'key'].map((key) => `${key} at ${1 - owner}`),
  )
})

test('a spare address takes the calls while no replica is listed or can be reached, and none that one can take', async () => {
  await using bed = await startReplicas(3)
  const [first = '', second = '', spare = ''] = bed.replicas.map(({ address }) => address)
  const { port, hostname } = new URL(first)
  const records = [{ name: hostname, port: Number(port), priority: 1, weight: 1 }]
  const resolver = { resolveSrv: async () => records }
  const endpoints = ['srv+http://replicas.wadi', second, `spare+${spare}`]
  const addresses = new ReplicaAddresses('repo-server', endpoints, resolver)
  assert.deepEqual(await addresses.current(), [first, second].toSorted())
  using replicas = new ReplicaConnections('repo-server', addresses, () => ({
    transport: unusedTransport,
    retire: () => undefined,
    close: () => undefined,
  }))
  const chosen = async (tried: readonly string[] = []) =>
    (await replicas.choose({ key: 'key', rank: 0 }, tried)).address
  assert.notEqual(await chosen(), spare)
  assert.equal(await chosen([first, second]), spare)
  replicas.unreachable(first)
  assert.equal(await chosen(), second)
  replicas.unreachable(second)
  assert.equal(await chosen(), spare)

  const absent = {
    resolveSrv: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  }
  const forgotten = new ReplicaAddresses(
    'repo-server',
    ['srv+http://replicas.wadi', `spare+${spare}`],
    absent,
  )
  using none = new ReplicaConnections('repo-server', forgotten, () => assert.fail('no connection is made'))
  await assert.rejects(none.choose({ key: 'key', rank: 0 }, []), { message: 'no connection is made' })
  assert.equal(await none.count(), 1)

  await using client = await createTestClient(['http://127.0.0.1:1', `spare+${spare}`], { routeKeyOf })
  await client.check({ service: 'key' })
  assert.deepEqual(bed.calls, ['key at 2'])
})

test('the error for a service without a ready replica names the service', async () => {
  const resolver = {
    resolveSrv: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  }
  const addresses = new ReplicaAddresses('commit-server', ['srv+http://commit-server.wadi'], resolver)
  using replicas = new ReplicaConnections('commit-server', addresses, () =>
    assert.fail('nothing to connect to'),
  )
  await assert.rejects(replicas.choose({ key: undefined, rank: 0 }, []), {
    name: 'UnavailableError',
    message: 'no replica of commit-server is ready',
  })
})

test('a stream of the caller goes to the owner of its first message, and to the next when the owner is away', async () => {
  const received: string[][] = []
  const routes = (router: ConnectRouter): void => {
    router.service(CommitServerService, {
      commitManifests: async (messages) => {
        const parts = await Array.fromAsync(messages, ({ message }) => message.case ?? '')
        received.push(parts)
        return { hydratedSha: 'a'.repeat(40) }
      },
    })
  }
  await using first = await startTestServer({ routes })
  await using second = await startTestServer({ routes })
  const identity = createServiceIdentity({ key: testKey, service: 'hydrator' })
  const keys: unknown[] = []
  await using client = await createServiceClient(CommitServerService, {
    endpoints: [first.address, second.address],
    identity,
    audience: 'repo-server',
    routeKeyOf: (message) => {
      keys.push(message)
      return 'https://git.example.com/team/app'
    },
  })
  async function* manifests(): AsyncGenerator<MessageInitShape<typeof CommitManifestsRequestSchema>> {
    yield { message: { case: 'commit', value: { repoUrl: 'https://git.example.com/team/app' } } }
    yield { message: { case: 'details', value: {} } }
  }
  await client.commitManifests(manifests())
  const owner = rendezvousOrder('https://git.example.com/team/app', [first.address, second.address])[0]
  await (owner === first.address ? first : second)[Symbol.asyncDispose]()
  await client.commitManifests(manifests())
  assert.deepEqual(received, [
    ['commit', 'details'],
    ['commit', 'details'],
  ])
  assert.equal(keys.length, 2)
})
