import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ApplyApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import { callBy, storePolicy } from '../authorization/policy-fixture.ts'
import {
  callContext,
  type GatewayFixture,
  openGatewayFixture,
  sampleApplication,
} from '../gateway-fixture.ts'
import { applyApplications } from './apply-applications.ts'

function apply({ context }: GatewayFixture, applications: Resource[], call = callContext(), dryRun = false) {
  const request = { applications: applications.map(toStruct), dryRun }
  return applyApplications(context)(create(ApplyApplicationsRequestSchema, request), call)
}

const storedNames = async ({ context }: GatewayFixture) =>
  (await context.store.list('Application')).items.map(({ metadata }) => metadata.name)

test('Applications are created, changed or left in one write, and a dry run stores none', async () => {
  await using fixture = await openGatewayFixture()
  const [a, b, c] = ['a', 'b', 'c'].map((name) => sampleApplication(name))
  assert.ok(a && b && c)
  assert.deepEqual(
    (await apply(fixture, [a, b], callContext(), true)).results.map(({ outcome }) => outcome),
    ['created', 'created'],
  )
  assert.deepEqual(await storedNames(fixture), [])
  await apply(fixture, [a, b])
  const changed = { ...b, spec: { ...b.spec, syncPolcy: {} } }
  const { results } = await apply(fixture, [a, changed, c])
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unchanged', 'configured', 'created'],
  )
  assert.deepEqual(results[1]?.warnings, [
    'spec.syncPolcy is stored but not applied: did you mean spec.syncPolicy?',
  ])
  assert.deepEqual(await storedNames(fixture), ['a', 'b', 'c'])
})

test('fields that are null are missing, also the namespace', async () => {
  await using fixture = await openGatewayFixture()
  const { metadata, ...rest } = toStruct(sampleApplication('a'))
  const nulls = { namespace: null, labels: null, annotations: null, finalizers: null }
  const named = typeof metadata === 'object' && !Array.isArray(metadata) ? metadata : {}
  const request = { applications: [{ ...rest, status: null, metadata: { ...named, ...nulls } }] }
  await applyApplications(fixture.context)(create(ApplyApplicationsRequestSchema, request), callContext())
  const stored = await fixture.context.store.get('Application', 'argocd', 'a')
  assert.equal(stored?.metadata.name, 'a')
  assert.deepEqual([stored.metadata.labels, stored.metadata.annotations], [undefined, undefined])
})

test('a caller that wants the outcomes alone gets no objects', async () => {
  await using fixture = await openGatewayFixture()
  const request = { applications: [toStruct(sampleApplication('a'))], outcomesOnly: true }
  const answer = await applyApplications(fixture.context)(
    create(ApplyApplicationsRequestSchema, request),
    callContext(),
  )
  assert.deepEqual(answer, { results: [{ outcome: 'created', warnings: [] }] })
  assert.deepEqual(await storedNames(fixture), ['a'])
})

test('one that is refused keeps all from being stored, and each refused one is named', async () => {
  await using fixture = await openGatewayFixture()
  await storePolicy(fixture.context, 'p, ann, applications, *, default/a*, allow')
  const wrong = sampleApplication('b-wrong', { destination: {} })
  await assert.rejects(
    apply(fixture, [sampleApplication('a1'), sampleApplication('x1'), wrong], callBy('ann')),
    {
      name: 'PermissionDeniedError',
      message:
        /^Application argocd\/x1: permission denied: applications, create, default\/x1, sub: ann\nApplication argocd\/b-wrong: spec\.destination\.server is required.*\nnone of 3 Applications is stored$/,
    },
  )
  assert.deepEqual(await storedNames(fixture), [])
})

test('a change by somebody else, an Application that occurs twice and none at all are refused', async () => {
  await using fixture = await openGatewayFixture()
  const a = sampleApplication('a')
  await assert.rejects(apply(fixture, [a, a]), {
    name: 'InvalidInputError',
    message: /argocd\/a: occurs twice/,
  })
  await assert.rejects(apply(fixture, []), { name: 'InvalidInputError' })
  await apply(fixture, [a])
  const stale = { ...a, metadata: { ...a.metadata, resourceVersion: '0' }, spec: { ...a.spec, info: [] } }
  await assert.rejects(apply(fixture, [sampleApplication('b'), stale]), { name: 'ConflictError' })
  assert.deepEqual(await storedNames(fixture), ['a'])
})

test('a hidden Application under the name is refused like a missing right', async () => {
  await using fixture = await openGatewayFixture()
  await fixture.context.store.create(sampleApplication('a', { project: 'hidden' }))
  await storePolicy(fixture.context, 'p, ann, applications, *, default/*, allow')
  await assert.rejects(apply(fixture, [sampleApplication('a')], callBy('ann')), {
    name: 'PermissionDeniedError',
    message: /permission denied: applications, create, default\/a, sub: ann/,
  })
})

test('when somebody else is faster those before are stored and named, and the same request stores the others', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const wanted = ['a', 'b', 'c'].map((name) => sampleApplication(name))
  const writeAll = store.writeAll.bind(store)
  store.writeAll = async (writes) => {
    store.writeAll = writeAll
    await store.create(sampleApplication('b', { info: [] }))
    return writeAll(writes)
  }
  await assert.rejects(apply(fixture, wanted), {
    name: 'AlreadyExistsError',
    message:
      'Application argocd/b exists already\n1 (argocd/a) of 3 changed Applications are stored; apply again to store the others',
  })
  assert.deepEqual(await storedNames(fixture), ['a', 'b'])
  const { results } = await apply(fixture, wanted)
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unchanged', 'configured', 'created'],
  )
})
