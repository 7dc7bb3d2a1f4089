import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ListApplicationsRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import {
  branchRecord,
  callContext,
  openGatewayFixture,
  sampleApplication,
  storeWithStatus,
} from '../gateway-fixture.ts'
import { listApplications } from './list-applications.ts'

test('Applications are narrowed by namespace, labels and projects, and come by namespace and name', async () => {
  await using fixture = await openGatewayFixture()
  const { store } = fixture.context
  const stored = async (name: string, metadata: Partial<Resource['metadata']>, project: string) => {
    const application = sampleApplication(name, { project })
    await store.create({ ...application, metadata: { ...application.metadata, ...metadata } })
  }
  await stored('web', { labels: { team: 'shop' } }, 'shop')
  await stored('api', { labels: { team: 'core' } }, 'core')
  await stored('job', { namespace: 'team-a' }, 'default')
  const list = async (request: { namespace?: string; selector?: string; projects?: string[] }) => {
    const { applications } = await listApplications(fixture.context)(
      create(ListApplicationsRequestSchema, request),
      callContext(),
    )
    return applications.map(({ metadata }) => (metadata as unknown as Resource['metadata']).name)
  }
  assert.deepEqual(await list({}), ['api', 'web', 'job'])
  assert.deepEqual(await list({ namespace: 'team-a' }), ['job'])
  assert.deepEqual(await list({ selector: 'team=shop' }), ['web'])
  assert.deepEqual(await list({ selector: '!team' }), ['job'])
  assert.deepEqual(await list({ projects: ['core', 'default'] }), ['api', 'job'])
  assert.deepEqual(await list({ projects: ['core'], selector: 'team=shop' }), [])
  await assert.rejects(list({ selector: 'team in (' }), { name: 'InvalidInputError' })
})

test('each Application is listed with the status of its branch', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const application = sampleApplication('web')
  const { hydrated } = parseApplication(application)
  const status = { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator: hydrated } } }
  await storeWithStatus(context, { ...application, status })
  await storeWithStatus(context, branchRecord(application, 'd'.repeat(40)))
  const { applications } = await listApplications(context)(
    create(ListApplicationsRequestSchema),
    callContext(),
  )
  assert.match(
    JSON.stringify(applications[0]?.['status']),
    /"phase":"Hydrated","message":"","drySHA":"d{40}"/,
  )
})

test('a password in a stored address is not listed, and fields narrow what is', async () => {
  await using fixture = await openGatewayFixture()
  const drySource = {
    repoURL: 'https://user:hunter2@git.example.com/x.git',
    targetRevision: 'main',
    path: 'a',
  }
  await fixture.context.store.create(sampleApplication('web', { sourceHydrator: { drySource } }))
  const list = async (fields: string[]) =>
    listApplications(fixture.context)(create(ListApplicationsRequestSchema, { fields }), callContext())
  const { applications } = await list([])
  assert.doesNotMatch(JSON.stringify(applications), /hunter2/)
  assert.deepEqual((await list(['metadata.name', 'spec.sourceHydrator.drySource.repoURL'])).applications, [
    {
      metadata: { name: 'web' },
      spec: { sourceHydrator: { drySource: { repoURL: 'https://git.example.com/x.git' } } },
    },
  ])
})
