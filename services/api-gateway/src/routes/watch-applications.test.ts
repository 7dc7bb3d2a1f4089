import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { WatchApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import {
  branchRecord,
  callContext,
  type GatewayFixture,
  openGatewayFixture,
  sampleApplication,
  storeWithStatus,
} from '../gateway-fixture.ts'
import { watchApplications } from './watch-applications.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const first = 'c'.repeat(40)
const second = 'd'.repeat(40)

/** A watch whose next states a test takes one by one, each as `TYPE name drySHA`. */
function watch({ context }: GatewayFixture, request: { namespace?: string; name?: string } = {}) {
  const call = new AbortController()
  const draining = new AbortController()
  const stream = watchApplications(context, draining.signal)(
    create(WatchApplicationsRequestSchema, request),
    callContext(AbortSignal.any([call.signal, AbortSignal.timeout(hangLimitMs)])),
  )
  return {
    call,
    draining,
    stream,
    async next(count = 1): Promise<string[]> {
      const states = []
      while (states.length < count) {
        const { done, value } = await stream.next()
        if (done) throw new Error(`the watch ended after ${JSON.stringify(states)}`)
        const { metadata, status } = value.application as unknown as Resource
        const { currentOperation } = (status?.['sourceHydrator'] ?? {}) as {
          currentOperation?: { drySHA: string }
        }
        states.push(`${value.type} ${metadata.name} ${currentOperation?.drySHA.slice(0, 1) ?? '-'}`)
      }
      return states
    },
    [Symbol.dispose]: () => call.abort(),
  }
}

/** An Application that was hydrated under its present spec. */
function hydrated(name: string): Resource {
  const application = sampleApplication(name)
  const { hydrated: sourceHydrator } = parseApplication(application)
  return { ...application, status: { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator } } } }
}

test('the present state is reported first, each Application once and with the record of its branch', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  for (const name of ['api', 'web']) await storeWithStatus(context, hydrated(name))
  await storeWithStatus(context, branchRecord(sampleApplication('web'), first))
  using watching = watch(fixture)
  assert.deepEqual(await watching.next(2), ['ADDED api c', 'ADDED web c'])
  await context.store.delete('Application', 'argocd', 'api')
  assert.deepEqual(await watching.next(), ['DELETED api c'])
})

test('a change, a deletion and a creation again are reported once each', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const web = await store.create(sampleApplication('web'))
  using watching = watch(fixture)
  assert.deepEqual(await watching.next(), ['ADDED web -'])
  await store.update({ ...web, metadata: { ...web.metadata, labels: { team: 'shop' } } })
  assert.deepEqual(await watching.next(), ['MODIFIED web -'])
  await store.delete('Application', 'argocd', 'web')
  assert.deepEqual(await watching.next(), ['DELETED web -'])
  await store.create(sampleApplication('web'))
  assert.deepEqual(await watching.next(), ['ADDED web -'])
})

test('a change of a branch is reported for each of its members and for no other', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const elsewhere = sampleApplication('other', {
    sourceHydrator: { syncSource: { targetBranch: 'environments/dev', path: 'other' } },
  })
  for (const application of [hydrated('api'), hydrated('web'), elsewhere])
    await storeWithStatus(context, application)
  using watching = watch(fixture)
  assert.deepEqual(await watching.next(3), ['ADDED api -', 'ADDED other -', 'ADDED web -'])
  await storeWithStatus(context, branchRecord(sampleApplication('web'), first))
  assert.deepEqual(await watching.next(2), ['MODIFIED api c', 'MODIFIED web c'])
  await storeWithStatus(context, branchRecord(sampleApplication('web'), second))
  assert.deepEqual(await watching.next(2), ['MODIFIED api d', 'MODIFIED web d'])
  const { name } = branchRecord(sampleApplication('web'), first).metadata
  await context.store.delete('HydratedBranch', 'argocd', name)
  assert.deepEqual(await watching.next(2), ['MODIFIED api -', 'MODIFIED web -'])
})

test('a write that changes nothing that users see is not delivered', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeWithStatus(context, hydrated('web'))
  const record = await storeWithStatus(context, branchRecord(sampleApplication('web'), first))
  using watching = watch(fixture)
  assert.deepEqual(await watching.next(), ['ADDED web c'])
  await context.store.updateStatus({ ...record, status: { ...record.status, milliseconds: 1 } })
  await context.store.create(sampleApplication('zoo'))
  assert.deepEqual(await watching.next(), ['ADDED zoo -'])
})

test('a watch may be for one namespace or for one name', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const application = sampleApplication('web')
  await store.create(application)
  await store.create(sampleApplication('api'))
  await store.create({ ...application, metadata: { name: 'web', namespace: 'team-a' } })
  await store.create({ ...application, metadata: { name: 'zoo', namespace: 'team-a' } })
  using named = watch(fixture, { name: 'web' })
  assert.deepEqual(await named.next(2), ['ADDED web -', 'ADDED web -'])
  using spaced = watch(fixture, { namespace: 'team-a' })
  assert.deepEqual(await spaced.next(2), ['ADDED web -', 'ADDED zoo -'])
  using both = watch(fixture, { namespace: 'argocd', name: 'api' })
  assert.deepEqual(await both.next(), ['ADDED api -'])
})

test('a deleted Application is reported without the mark that the server keeps in its status', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeWithStatus(context, hydrated('web'))
  using watching = watch(fixture)
  await watching.next()
  await context.store.delete('Application', 'argocd', 'web')
  const { value } = await watching.stream.next()
  assert.equal(value?.type, 'DELETED')
  assert.deepEqual(value?.application?.['status'], { sourceHydrator: {} })
})

for (const end of ['call', 'draining'] as const) {
  test(`the stream ends without an error when the ${end === 'call' ? 'caller leaves' : 'server drains'}`, async () => {
    await using fixture = await openGatewayFixture()
    await fixture.context.store.create(sampleApplication('web'))
    using watching = watch(fixture)
    await watching.next()
    const last = watching.stream.next()
    watching[end].abort()
    assert.deepEqual(await last, { done: true, value: undefined })
  })
}
