import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { suite, test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { until } from '@wadi/testing/until.ts'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { ApiConnection } from '../connection/api-connection.ts'
import { secrets } from '../object-fixture.ts'
import { KubernetesClient } from './kubernetes-client.ts'
import { BusyError, statusError } from './status-error.ts'

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'argocd', name: 'a' } }
const key = { namespace: 'argocd', name: 'a' }

function configOf(server: string, token: () => string = () => 'test-token'): ClusterConfig {
  return { server, namespace: undefined, tls: async () => ({}), bearerToken: async () => token() }
}

async function clientOfStandIn(token?: () => string) {
  const api = await startKubernetesApi()
  api.put(secret)
  const config = configOf(api.server, token)
  const client = new KubernetesClient(config, new ApiConnection(config, 100))
  return {
    api,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await api[Symbol.asyncDispose]()
    },
  }
}

suite('a disturbed request', () => {
  test('is repeated when the server is too busy, also when it writes', async () => {
    await using bed = await clientOfStandIn()
    bed.api.admission.beBusy(2, 0)
    const changed = await bed.client.patch(secrets, key, { stringData: { a: 'b' } })
    assert.deepEqual(changed.data, { a: 'Yg==' })
    assert.deepEqual(bed.api.requests, ['patch secrets', 'patch secrets', 'patch secrets'])
  })

  test('fails for good once the client is closed, also while a connection is made', async () => {
    await using bed = await clientOfStandIn()
    const { api } = bed
    const connecting = Promise.withResolvers<void>()
    const closing = Promise.withResolvers<void>()
    const tls = async () => {
      connecting.resolve()
      await closing.promise
      return {}
    }
    const client = new KubernetesClient({ ...configOf(api.server), tls })
    const closed = { name: 'CanceledError', message: 'the client of the Kubernetes API was closed' }
    const early = assert.rejects(client.get(secrets, key), closed)
    await connecting.promise
    await client[Symbol.asyncDispose]()
    closing.resolve()
    await early
    await assert.rejects(client.get(secrets, key), closed)
    await until(() => api.relay.connections === 0)
    assert.deepEqual(api.requests, [])
  })

  test('fails when the server is busy for longer than a call may take', async () => {
    await using bed = await clientOfStandIn()
    bed.api.admission.beBusy(1, 60)
    await assert.rejects(bed.client.get(secrets, key), (error) => {
      assert.ok(error instanceof BusyError && error.retryable)
      assert.deepEqual(
        [error.retryAfterMs, error.message],
        [60_000, 'the server is busy, please try again later'],
      )
      return true
    })
  })

  test('fails with its connection, and the next one has another', async () => {
    await using bed = await clientOfStandIn()
    await bed.client.get(secrets, key)
    bed.api.relay.freeze()
    const waiting = assert.rejects(bed.client.get(secrets, key), UnavailableError)
    await waiting
    bed.api.relay.thaw()
    await bed.client.get(secrets, key)
    assert.equal(bed.api.relay.accepted, 2)
    bed.api.relay.cut()
    await until(async () => (await bed.client.get(secrets, key).catch(() => undefined)) !== undefined)
    assert.equal(bed.api.relay.accepted, 3)
  })

  test('many requests share one connection', async () => {
    await using bed = await clientOfStandIn()
    await Promise.all(Array.from({ length: 50 }, () => bed.client.get(secrets, key)))
    assert.equal(bed.api.relay.accepted, 1)
  })

  test('uses the token of its moment, and a rejected one is said', async () => {
    let token = 'old'
    await using bed = await clientOfStandIn(() => token)
    await assert.rejects(bed.client.get(secrets, key), {
      name: 'UnauthenticatedError',
      message: 'the Kubernetes API rejects the token or certificate of this client: Unauthorized',
    })
    token = 'test-token'
    await bed.client.get(secrets, key)
    assert.equal(bed.api.relay.accepted, 1)
  })

  test('ends with its signal', async () => {
    await using bed = await clientOfStandIn()
    await bed.client.get(secrets, key)
    bed.api.relay.freeze()
    const abort = new AbortController()
    const waiting = assert.rejects(bed.client.get(secrets, key, abort.signal), {
      name: 'CanceledError',
      message: 'GET /api/v1/namespaces/argocd/secrets/a of the Kubernetes API was canceled',
    })
    abort.abort()
    await waiting
  })

  test('to something that is not a Kubernetes API says so', async () => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.resume()
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address !== 'string')
    await using client = new KubernetesClient(configOf(`http://127.0.0.1:${address.port}`))
    await assert.rejects(client.get(secrets, key), UnavailableError)
    server.close()
    await once(server, 'close')
  })
})

for (const [code, body, name, message] of [
  [
    500,
    '{"kind":"Status","message":"etcdserver: request timed out"}',
    'UnavailableError',
    'the Kubernetes API answered 500: etcdserver: request timed out',
  ],
  [503, 'service unavailable\n', 'UnavailableError', 'service unavailable'],
  [
    504,
    '{"kind":"Status","message":"Timeout: too large resource version"}',
    'DeadlineExceededError',
    'Timeout: too large resource version',
  ],
  [
    413,
    '{"kind":"Status","message":"etcdserver: request is too large"}',
    'ResourceExhaustedError',
    'etcdserver: request is too large',
  ],
  [409, '{"kind":"Status","reason":"AlreadyExists","message":"x"}', 'AlreadyExistsError', 'x'],
  [
    405,
    '<html>proxy</html>',
    'FailedPreconditionError',
    'the Kubernetes API answered 405: <html>proxy</html>',
  ],
  [
    422,
    '{"kind":"Status","message":"bad","details":{"causes":[{"field":"spec.a","message":"one"},{"field":"spec.b","message":"two"}]}}',
    'InvalidInputError',
    'bad; spec.a: one; spec.b: two',
  ],
] as const) {
  test(`an answer ${code} becomes ${name}`, () => {
    const error = statusError(code, body)
    assert.deepEqual([error.name, error.message], [name, message])
  })
}

test('how long to wait comes from the header, else from the status', () => {
  const body = '{"kind":"Status","details":{"retryAfterSeconds":7}}'
  const waits = [statusError(429, body, '3'), statusError(429, body), statusError(503, 'starting')]
  assert.deepEqual(
    waits.map((error) => error instanceof BusyError && error.retryAfterMs),
    [3000, 7000, 0],
  )
})
