import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  CreateApplicationRequestSchema,
  UpdateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import {
  callContext,
  type GatewayFixture,
  openGatewayFixture,
  sampleApplication,
} from '../gateway-fixture.ts'
import { storeProject } from '../authorization/policy-fixture.ts'
import { changedApplicationRoutes } from './changed-applications.ts'

function createOne(
  { context }: GatewayFixture,
  application: Resource,
  options: { upsert?: boolean; validate?: boolean } = {},
) {
  const request = { application: toStruct(application), ...options }
  return changedApplicationRoutes(context).createApplication(
    create(CreateApplicationRequestSchema, request),
    callContext(),
  )
}

function updateOne({ context }: GatewayFixture, application: Resource, validate = false) {
  const request = { application: toStruct(application), validate }
  return changedApplicationRoutes(context).updateApplication(
    create(UpdateApplicationRequestSchema, request),
    callContext(),
  )
}

const unreachable = {
  repoServer: { resolveRevisions: () => ({ revisions: [{ error: 'the repository cannot be reached' }] }) },
}

test('an Application is created once; again is unchanged, differently is an error unless upsert is set', async () => {
  await using fixture = await openGatewayFixture()
  await storeProject(fixture.context, 'shop')
  const { outcome, application } = await createOne(fixture, sampleApplication('web'))
  assert.equal(outcome, 'created')
  assert.deepEqual(application['status'], { sourceHydrator: {} })
  assert.equal((await createOne(fixture, sampleApplication('web'))).outcome, 'unchanged')
  const different = sampleApplication('web', { project: 'shop' })
  await assert.rejects(createOne(fixture, different), {
    name: 'InvalidInputError',
    message: 'existing application spec is different; use upsert flag to force update of argocd/web',
  })
  assert.equal((await createOne(fixture, different, { upsert: true })).outcome, 'updated')
})

test('an Application whose source cannot be reached is not stored, unless validation is off', async () => {
  await using fixture = await openGatewayFixture(unreachable)
  await assert.rejects(createOne(fixture, sampleApplication('web'), { validate: true }), {
    name: 'NotFoundError',
    message: 'the repository cannot be reached',
  })
  assert.equal(await fixture.context.store.get('Application', 'argocd', 'web'), undefined)
  assert.equal((await createOne(fixture, sampleApplication('web'))).outcome, 'created')
})

test('a status and an operation that a user sends are not stored', async () => {
  await using fixture = await openGatewayFixture()
  const forged = {
    ...sampleApplication('web'),
    status: { sourceHydrator: { lastSuccessfulOperation: { drySHA: 'f'.repeat(40) } } },
    operation: { sync: {} },
  }
  const { application } = await createOne(fixture, forged)
  assert.deepEqual(application['status'], { sourceHydrator: {} })
  await updateOne(fixture, { ...forged, metadata: { ...forged.metadata, labels: { a: 'b' } } })
  const stored = await fixture.context.store.get('Application', 'argocd', 'web')
  assert.deepEqual(stored?.metadata.labels, { a: 'b' })
  assert.ok(stored && !('status' in stored) && !('operation' in stored))
})

test('an update replaces the spec, labels and annotations of an Application that exists', async () => {
  await using fixture = await openGatewayFixture()
  await storeProject(fixture.context, 'shop')
  await assert.rejects(updateOne(fixture, sampleApplication('web')), {
    name: 'NotFoundError',
    message: 'applications.argoproj.io "web" not found',
  })
  const labelled = sampleApplication('web')
  labelled.metadata.labels = { team: 'shop' }
  await createOne(fixture, labelled)
  const { application } = await updateOne(fixture, sampleApplication('web', { project: 'shop' }))
  const { metadata, spec } = application as unknown as Resource
  assert.deepEqual([metadata.labels, spec?.['project']], [undefined, 'shop'])
})

test('an update from an older version and one whose source is wrong are refused', async () => {
  await using fixture = await openGatewayFixture(unreachable)
  await storeProject(fixture.context, 'shop')
  const { application } = await createOne(fixture, sampleApplication('web'))
  const read = application as unknown as Resource
  await updateOne(fixture, sampleApplication('web', { project: 'shop' }))
  const stale = { ...read, spec: { ...read.spec, syncPolicy: {} } }
  await assert.rejects(updateOne(fixture, stale), { name: 'ConflictError' })
  await assert.rejects(updateOne(fixture, sampleApplication('web'), true), { name: 'NotFoundError' })
  const stored = await fixture.context.store.get('Application', 'argocd', 'web')
  assert.equal(stored?.spec?.['project'], 'shop')
})

test('a project that changes while the source is validated decides about what is stored', async () => {
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: async () => {
        await storeProject(fixture.context, 'shop', { sourceRepos: ['https://git.example.com/other.git'] })
        return { revisions: [{ sha: 'd'.repeat(40), ref: 'refs/heads/main' }] }
      },
      inspectSources: () => ({ inspections: [{ fingerprint: 'f' }] }),
    },
  })
  await storeProject(fixture.context, 'shop')
  await assert.rejects(
    createOne(fixture, sampleApplication('web', { project: 'shop' }), { validate: true }),
    {
      name: 'PermissionDeniedError',
      message: /is not permitted in project 'shop'/,
    },
  )
  assert.equal(await fixture.context.store.get('Application', 'argocd', 'web'), undefined)
})
