import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  DeleteApplicationRequestSchema,
  HydrateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { changedApplicationRoutes } from './changed-applications.ts'

const annotation = 'argocd.argoproj.io/hydrate'

test('a hydration is requested with the annotation of Argo CD, and the hydrator is notified', async () => {
  await using fixture = await openGatewayFixture({ hydrator: { hydrateApplication: () => ({}) } })
  const { context } = fixture
  const application = sampleApplication('web')
  application.metadata.annotations = { note: 'kept' }
  await context.store.create(application)
  const timestamps = new Set<string>()
  for (const [hard, value] of [
    [false, 'normal'],
    [true, 'hard'],
  ] as const) {
    const request = create(HydrateApplicationRequestSchema, { name: 'web', hard })
    await changedApplicationRoutes(context).hydrateApplication(request, callContext())
    const stored = await context.store.get('Application', 'argocd', 'web')
    const { [`${annotation}-timestamp`]: timestamp = '', ...others } = stored?.metadata.annotations ?? {}
    assert.deepEqual(others, { note: 'kept', [annotation]: value })
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
    timestamps.add(timestamp)
  }
  assert.equal(timestamps.size, 2)
  assert.deepEqual(fixture.requests[0], { namespace: 'argocd', name: 'web' })
})

test('a request that does not reach the hydrator stays in the object', async () => {
  await using fixture = await openGatewayFixture({
    hydrator: {
      hydrateApplication: () => {
        throw new ConnectError('away', Code.Unavailable)
      },
    },
  })
  const { context } = fixture
  await context.store.create(sampleApplication('web'))
  const request = create(HydrateApplicationRequestSchema, { name: 'web' })
  await assert.rejects(changedApplicationRoutes(context).hydrateApplication(request, callContext()), {
    name: 'UnavailableError',
  })
  const stored = await context.store.get('Application', 'argocd', 'web')
  assert.equal(stored?.metadata.annotations?.[annotation], 'normal')
})

test("who asks for what is left to Argo CD's own hydrator gets the reason instead of waiting without end", async () => {
  const leftAlone = "Argo CD's own hydrator is on; turn it off"
  await using fixture = await openGatewayFixture({ hydrator: { hydrateApplication: () => ({ leftAlone }) } })
  const { context } = fixture
  await context.store.create(sampleApplication('web'))
  const request = create(HydrateApplicationRequestSchema, { name: 'web' })
  await assert.rejects(changedApplicationRoutes(context).hydrateApplication(request, callContext()), {
    name: 'FailedPreconditionError',
    message: leftAlone,
  })
})

test('an Application that is being deleted is not hydrated any more', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const application = sampleApplication('web')
  application.metadata.finalizers = ['example.com/hold']
  await context.store.create(application)
  await changedApplicationRoutes(context).deleteApplication(
    create(DeleteApplicationRequestSchema, { name: 'web' }),
    callContext(),
  )
  const request = create(HydrateApplicationRequestSchema, { name: 'web' })
  await assert.rejects(changedApplicationRoutes(context).hydrateApplication(request, callContext()), {
    name: 'FailedPreconditionError',
    message: 'application web is being deleted and is not hydrated any more',
  })
})

test('an Application without sourceHydrator has nothing to hydrate, a missing one is not found', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const request = create(HydrateApplicationRequestSchema, { name: 'web' })
  await assert.rejects(changedApplicationRoutes(context).hydrateApplication(request, callContext()), {
    name: 'NotFoundError',
  })
  await context.store.create({ ...sampleApplication('web'), spec: { destination: {} } })
  await assert.rejects(changedApplicationRoutes(context).hydrateApplication(request, callContext()), {
    name: 'FailedPreconditionError',
    message: 'application web has no spec.sourceHydrator; there is nothing to hydrate',
  })
  assert.deepEqual(fixture.calls, [])
})

test('an Application is removed from its namespace alone; a missing one is not found', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const application = sampleApplication('web')
  await store.create(application)
  await store.create({ ...application, metadata: { name: 'web', namespace: 'team-a' } })
  const remove = (namespace: string) =>
    changedApplicationRoutes(fixture.context).deleteApplication(
      create(DeleteApplicationRequestSchema, { name: 'web', namespace }),
      callContext(),
    )
  await remove('')
  const left = (await store.list('Application')).items
  assert.deepEqual(
    left.map(({ metadata }) => metadata.namespace),
    ['team-a'],
  )
  await assert.rejects(remove('argocd'), { name: 'NotFoundError' })
  await remove('team-a')
  assert.deepEqual((await store.list('Application')).items, [])
})
