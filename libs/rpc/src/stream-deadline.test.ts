import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { HealthCheckResponse_ServingStatus as ServingStatus } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { startTestServer, testKey } from './server-fixture.ts'
import { createServiceIdentity } from './service-identity.ts'

const emptyMessage = Buffer.alloc(5)

/** Calls Watch as a gRPC client does that leaves its deadline to the server; returns the status. */
async function statusOfWatch(address: string): Promise<unknown> {
  const token = await createServiceIdentity({ key: testKey, service: 'hydrator' }).token('repo-server')
  const session = http2.connect(address)
  const request = session.request({
    ':method': 'POST',
    ':path': '/grpc.health.v1.Health/Watch',
    'content-type': 'application/grpc',
    'grpc-timeout': '50m',
    authorization: `Bearer ${token}`,
    te: 'trailers',
  })
  request.resume()
  request.end(emptyMessage)
  const [headers] = await once(request, 'trailers')
  session.close()
  return headers['grpc-status']
}

test('a stream whose deadline passes ends as that says, whether its handler listens or not', async () => {
  await using listening = await startTestServer()
  assert.equal(await statusOfWatch(listening.address), String(status.DEADLINE_EXCEEDED))

  const forever = Promise.withResolvers<void>()
  await using deaf = await startTestServer({
    rpcs: {
      async *watch() {
        yield { status: ServingStatus.SERVING }
        await forever.promise
      },
    },
  })
  assert.equal(await statusOfWatch(deaf.address), String(status.DEADLINE_EXCEEDED))
  forever.resolve()
})
