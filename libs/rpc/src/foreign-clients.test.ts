import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { create } from '@bufbuild/protobuf'
import { Client, Metadata, credentials, status } from '@grpc/grpc-js'
import {
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { GrpcReflection } from 'grpc-js-reflection-client'
import { startTestServer, testKey } from './server-fixture.ts'
import { createServiceIdentity } from './service-identity.ts'

const health = '/grpc.health.v1.Health'

async function tokenMetadata(): Promise<Metadata> {
  const identity = createServiceIdentity({ key: testKey, service: 'hydrator' })
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${await identity.token('repo-server')}`)
  return metadata
}

function serialize<D extends DescMessage>(schema: D) {
  return (message: MessageShape<D>) => Buffer.from(toBinary(schema, message))
}

function deserialize<D extends DescMessage>(schema: D) {
  return (bytes: Buffer) => fromBinary(schema, bytes)
}

function check(client: Client, service: string): Promise<ServingStatus | undefined> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      `${health}/Check`,
      serialize(HealthCheckRequestSchema),
      deserialize(HealthCheckResponseSchema),
      create(HealthCheckRequestSchema, { service }),
      (error, response) => (error === null ? resolve(response?.status) : reject(error)),
    )
  })
}

function watch(client: Client, metadata: Metadata) {
  return client.makeServerStreamRequest(
    `${health}/Watch`,
    serialize(HealthCheckRequestSchema),
    deserialize(HealthCheckResponseSchema),
    create(HealthCheckRequestSchema, { service: 'a.B' }),
    metadata,
  )
}

test('grpc-js checks and watches the health of services', async () => {
  await using server = await startTestServer()
  const client = new Client(server.address.replace('http://', ''), credentials.createInsecure())
  assert.equal(await check(client, ''), ServingStatus.SERVING)
  await assert.rejects(check(client, 'a.B'), {
    code: status.NOT_FOUND,
    details: 'service "a.B" is unknown',
  })

  const statuses: ServingStatus[] = []
  for await (const { status: seen } of watch(client, await tokenMetadata())) {
    statuses.push(seen)
    if (statuses.length === 1) server.health.setServing('a.B', true)
    if (statuses.length === 2) server.health.setServing('a.B', false)
    if (statuses.length === 3) break
  }
  assert.deepEqual(statuses, [
    ServingStatus.SERVICE_UNKNOWN,
    ServingStatus.SERVING,
    ServingStatus.NOT_SERVING,
  ])
  await assert.rejects(Array.fromAsync(watch(client, new Metadata())), { code: status.UNAUTHENTICATED })
  client.close()
})

for (const version of ['v1', 'v1alpha']) {
  test(`a generic client lists the services by reflection ${version} and reads their descriptors`, async () => {
    await using server = await startTestServer()
    const metadata = await tokenMetadata()
    const reflection = new GrpcReflection(
      server.address.replace('http://', ''),
      credentials.createInsecure(),
      {},
      version,
    )
    const services = await reflection.listServices('*', metadata)
    assert.deepEqual(services.toSorted(), ['grpc.health.v1.Health', 'grpc.reflection.v1.ServerReflection'])
    const methods = await reflection.listMethods('grpc.health.v1.Health', metadata)
    assert.deepEqual(methods.map(({ name }) => name).toSorted(), ['Check', 'List', 'Watch'])
    await assert.rejects(reflection.listServices('*'), /service token/)
  })
}
