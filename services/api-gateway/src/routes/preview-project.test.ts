import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type JsonObject } from '@bufbuild/protobuf'
import {
  DeleteProjectRequestSchema,
  PreviewProjectRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { callBy, storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { projectRoutes } from './projects.ts'
import { previewProject } from './preview-project.ts'

const repoUrl = 'https://git.example.com/deploy.git'

function preview(context: GatewayContext, spec: JsonObject, call = callContext(), name = 'dev') {
  const request = create(PreviewProjectRequestSchema, { project: { metadata: { name }, spec } })
  return previewProject(context)(request, call)
}

const open = {
  sourceRepos: ['*'],
  sourceNamespaces: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
}

/** Stores the project `dev` with two Applications, and another project with one. */
async function storeMembers(context: GatewayContext): Promise<void> {
  await storeProject(context, 'dev')
  const drySource = { repoURL: repoUrl, targetRevision: 'main', path: 'web' }
  const web = sampleApplication('web', { project: 'dev', sourceHydrator: { drySource } })
  await context.store.create(web)
  await context.store.create({ ...web, metadata: { name: 'api', namespace: 'team' } })
  await context.store.create(sampleApplication('other'))
}

test('who belongs to a project, and whom a change of it would refuse, is said before it is stored', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeMembers(context)
  const same = await preview(context, open)
  assert.deepEqual([same.applications, same.refused, same.hidden], [['team/api', 'web'], [], 0])
  const { refused } = await preview(context, { ...open, sourceRepos: ['https://git.example.com/other.git'] })
  assert.deepEqual(
    refused.map(({ name, isNew }) => [name, isNew]),
    [
      ['team/api', true],
      ['web', true],
    ],
  )
  assert.match(refused[0]?.reason ?? '', /deploy\.git is not permitted in project 'dev'/)
  await storeProject(context, 'dev', { destinations: [] })
  const before = await preview(context, { ...open, destinations: [] })
  assert.deepEqual(
    before.refused.map(({ isNew }) => isNew),
    [false, false],
  )
})

test('Applications that the caller may not see are counted, and a project that may not be seen is not there', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeMembers(context)
  await storePolicy(context, 'p, ada, projects, get, dev, allow', 'p, ada, applications, get, dev/web, allow')
  const seen = await preview(context, { ...open, sourceRepos: [] }, callBy('ada'))
  assert.deepEqual([seen.applications, seen.hidden, seen.hiddenRefused], [['web'], 1, 0])
  await assert.rejects(preview(context, open, callBy('bob')), { name: 'NotFoundError' })
  await assert.rejects(preview(context, open, callBy('ada'), 'new'), { name: 'NotFoundError' })
  await assert.rejects(preview(context, { destinations: [{ server: '[!]' }] }), { name: 'InvalidInputError' })
})

test('who may store a project hears how many Applications it would refuse that the caller may not see', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeMembers(context)
  const rights = ['get', 'update'].map((action) => `p, ada, projects, ${action}, dev, allow`)
  await storePolicy(context, ...rights)
  const seen = await preview(context, { ...open, sourceRepos: [] }, callBy('ada'))
  assert.deepEqual([seen.applications, seen.hidden, seen.hiddenRefused], [[], 2, 2])
})

test('a project is deleted in the version that the caller was shown', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storeProject(context, 'dev')
  const shown = await context.store.get('AppProject', 'argocd', 'dev')
  await storeProject(context, 'dev', { description: 'changed' })
  const remove = (resourceVersion = '') =>
    projectRoutes(context).deleteProject(
      create(DeleteProjectRequestSchema, { name: 'dev', resourceVersion }),
      callContext(),
    )
  await assert.rejects(remove(shown?.metadata.resourceVersion), { name: 'ConflictError' })
  await remove()
  assert.equal(await context.store.get('AppProject', 'argocd', 'dev'), undefined)
})
