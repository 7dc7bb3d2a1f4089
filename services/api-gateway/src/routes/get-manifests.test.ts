import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  GetManifestsRequestSchema,
  ListHistoryRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ListHistoryResponseSchema } from '@wadi/protocol/gen/wadi/history/v1/history_pb.ts'
import { GetManifestsResponseSchema } from '@wadi/protocol/gen/wadi/manifests/v1/manifests_pb.ts'
import { callContext, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { getManifests } from './get-manifests.ts'
import { runRoutes } from './runs.ts'

const drySha = 'd'.repeat(40)
const hydratedSha = 'b'.repeat(40)
const staged = { sourceHydrator: { hydrateTo: { targetBranch: 'environments/prod-next' } } }

test('manifests are read from the hydrated branch, or from the hydrated commit that is named', async () => {
  const answer = create(GetManifestsResponseSchema, {
    hydratedSha,
    drySha,
    manifest: 'kind: A\n',
    metadata: '{}',
    files: [{ path: 'a.conf', content: 'a\n' }],
  })
  await using fixture = await openGatewayFixture({ commitServer: { getManifests: () => answer } })
  await fixture.context.store.create(sampleApplication('web', staged))
  const get = (hydratedRevision = '') =>
    getManifests(fixture.context)(
      create(GetManifestsRequestSchema, { name: 'web', hydratedRevision }),
      callContext(),
    )
  assert.deepEqual(await get(), answer)
  await get(hydratedSha)
  assert.deepEqual(fixture.requests, [
    { repoUrl: repoURL, revision: 'environments/prod-next', path: 'web', project: 'default', parent: false },
    { repoUrl: repoURL, revision: hydratedSha, path: 'web', project: 'default', parent: false },
  ])
})

test('manifests are rendered from a dry revision and written as manifest.yaml is', async () => {
  const object = (name: string) => `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"}}`
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [{ revision: 'v2', sha: drySha }] }),
      async *renderSources() {
        yield { manifests: [object('a')] }
        const record = { commands: ['kubectl kustomize .'] }
        yield { manifests: [object('b')], files: [{ path: 'x', content: 'y' }], done: true, record }
      },
    },
  })
  await fixture.context.store.create(sampleApplication('web'))
  const request = create(GetManifestsRequestSchema, { name: 'web', dryRevision: 'v2' })
  const answer = await getManifests(fixture.context)(request, callContext())
  const wanted = create(GetManifestsResponseSchema, {
    manifest:
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n',
    drySha,
    commands: ['kubectl kustomize .'],
    files: [{ path: 'x', content: 'y' }],
  })
  assert.deepEqual(answer, wanted)
})

test('a dry revision that does not exist or cannot be rendered is reported', async () => {
  const revision = { sha: '', error: 'revision v9 was not found' }
  await using fixture = await openGatewayFixture({
    repoServer: {
      resolveRevisions: () => ({ revisions: [revision] }),
      async *renderSources() {
        yield { error: 'apps/web/values.yaml:3: not a map' }
      },
    },
  })
  await fixture.context.store.create(sampleApplication('web'))
  const request = create(GetManifestsRequestSchema, { name: 'web', dryRevision: 'v9' })
  const get = () => getManifests(fixture.context)(request, callContext())
  await assert.rejects(get, { name: 'NotFoundError', message: 'revision v9 was not found' })
  Object.assign(revision, { sha: drySha, error: '' })
  await assert.rejects(get, { name: 'InvalidInputError', message: 'apps/web/values.yaml:3: not a map' })
})

test('the history is that of the path on the hydrated branch', async () => {
  const entry = {
    hydratedSha,
    drySha,
    date: '2026-08-20T10:00:00Z',
    author: 'Ada <ada@example.com>',
    subject: 'Up',
  }
  await using fixture = await openGatewayFixture({
    commitServer: { listHistory: () => ({ entries: [entry] }) },
  })
  await fixture.context.store.create(sampleApplication('web', staged))
  const request = create(ListHistoryRequestSchema, { name: 'web', limit: 5 })
  const answer = create(ListHistoryResponseSchema, { entries: [entry] })
  assert.deepEqual(await runRoutes(fixture.context).listHistory(request, callContext()), answer)
  assert.deepEqual(fixture.requests, [
    {
      repoUrl: repoURL,
      branch: 'environments/prod-next',
      path: 'web',
      limit: 5,
      otherPaths: [],
      project: 'default',
    },
  ])
})

test('an Application that is not hydrated has neither manifests nor history', async () => {
  await using fixture = await openGatewayFixture()
  await fixture.context.store.create({ ...sampleApplication('web'), spec: { destination: {} } })
  const rejection = {
    name: 'FailedPreconditionError',
    message: 'application web has no spec.sourceHydrator',
  }
  const manifests = create(GetManifestsRequestSchema, { name: 'web', dryRevision: 'v2' })
  await assert.rejects(getManifests(fixture.context)(manifests, callContext()), rejection)
  const history = create(ListHistoryRequestSchema, { name: 'web' })
  await assert.rejects(runRoutes(fixture.context).listHistory(history, callContext()), rejection)
})
