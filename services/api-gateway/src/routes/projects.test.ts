import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import {
  CreateProjectRequestSchema,
  DeleteProjectRequestSchema,
  GetProjectRequestSchema,
  ListPermittedProjectsRequestSchema,
  ListProjectsRequestSchema,
  UpdateProjectRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { projectTokens } from '../accounts/project-tokens.ts'
import { callBy, storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { callContext, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'
import { projectRoutes } from './projects.ts'

function project(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec }
}

function createOne(context: GatewayContext, sent: JsonObject, call = callContext(), upsert = false) {
  return projectRoutes(context).createProject(
    create(CreateProjectRequestSchema, { project: sent, upsert }),
    call,
  )
}

function updateOne(context: GatewayContext, sent: JsonObject, call = callContext()) {
  return projectRoutes(context).updateProject(create(UpdateProjectRequestSchema, { project: sent }), call)
}

function getOne(context: GatewayContext, name: string, call = callContext()) {
  return projectRoutes(context).getProject(create(GetProjectRequestSchema, { name }), call)
}

function deleteOne(context: GatewayContext, name: string, call = callContext()) {
  return projectRoutes(context).deleteProject(create(DeleteProjectRequestSchema, { name }), call)
}

async function names(context: GatewayContext, call: HandlerContext) {
  const { projects } = await projectRoutes(context).listProjects(create(ListProjectsRequestSchema), call)
  return projects.map(({ metadata }) => (metadata as unknown as Resource['metadata']).name)
}

test('the projects in which somebody may do something are named, however many there are', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  for (let index = 10; index < 45; index++) await storeProject(context, `team-${index}`)
  await storePolicy(
    context,
    'p, ada, applications, create, team-4*/*, allow',
    'p, ada, applications, create, team-42/web, deny',
  )
  const permitted = async (action: string) => {
    const request = create(ListPermittedProjectsRequestSchema, { resource: 'applications', action })
    return (await projectRoutes(context).listPermittedProjects(request, callBy('ada'))).names
  }
  assert.deepEqual(await permitted('create'), ['team-40', 'team-41', 'team-42', 'team-43', 'team-44'])
  assert.deepEqual(await permitted('delete'), [])
  await assert.rejects(permitted('make'), /unknown action "make"/)
})

test('a list has the projects that the caller may see, and default among them also while it is not stored', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  for (const name of ['prod', 'dev']) await storeProject(context, name)
  await storePolicy(context, 'p, ada, projects, get, d*, allow')
  assert.deepEqual(await names(context, callContext()), ['default', 'dev', 'prod'])
  assert.deepEqual(await names(context, callBy('ada')), ['default', 'dev'])
  assert.deepEqual(await names(context, callBy('nobody')), [])
  await storeProject(context, 'prod', { roles: [{ name: 'reader', groups: ['sso'] }] })
  assert.deepEqual(await names(context, callBy('eve', ['sso'])), ['prod'])
  await storeProject(context, 'default')
  assert.deepEqual(await names(context, callContext()), ['default', 'dev', 'prod'])
})

test('the project default as it is shown while it is not stored permits the same when it is stored', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const { project: reported } = await getOne(context, 'default')
  assert.deepEqual(reported['spec'], {
    sourceRepos: ['*'],
    sourceNamespaces: ['*'],
    destinations: [{ server: '*', name: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  })
  const { project: stored } = await updateOne(context, reported)
  assert.deepEqual(stored['spec'], reported['spec'])
  assert.notEqual(await context.store.get('AppProject', 'argocd', 'default'), undefined)
})

for (const [rpc, action, invoke] of [
  ['GetProject', 'get', (context, call) => getOne(context, 'dev', call)],
  ['UpdateProject', 'update', (context, call) => updateOne(context, project('dev'), call)],
  ['DeleteProject', 'delete', (context, call) => deleteOne(context, 'dev', call)],
] satisfies [string, string, (context: GatewayContext, call: HandlerContext) => Promise<unknown>][]) {
  test(`${rpc} needs ${action}; without it is refused, and what may not be seen is not found`, async () => {
    await using fixture = await openGatewayFixture()
    const { context } = fixture
    await storeProject(context, 'dev')
    await storePolicy(
      context,
      `p, doer, projects, ${action}, dev, allow`,
      'p, doer, projects, get, dev, allow',
      'p, viewer, projects, get, dev, allow',
      'p, blind, projects, update, *, allow',
      'p, blind, projects, delete, *, allow',
    )
    const before = await context.store.get('AppProject', 'argocd', 'dev')
    for (const user of ['blind', 'nobody']) {
      await assert.rejects(invoke(context, callBy(user)), {
        name: 'NotFoundError',
        message: 'appprojects.argoproj.io "dev" not found',
      })
    }
    if (action !== 'get') {
      await assert.rejects(invoke(context, callBy('viewer')), {
        name: 'PermissionDeniedError',
        message: `permission denied: projects, ${action}, dev, sub: viewer`,
      })
    }
    assert.deepEqual(await context.store.get('AppProject', 'argocd', 'dev'), before)
    await invoke(context, callBy('doer'))
    if (action !== 'delete') await context.store.delete('AppProject', 'argocd', 'dev')
    await assert.rejects(invoke(context, callContext()), {
      name: 'NotFoundError',
      message: 'appprojects.argoproj.io "dev" not found',
    })
  })
}

test('CreateProject needs create, and update to replace one; a hidden one is refused as a new one is', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  await storePolicy(
    context,
    'p, ada, projects, create, dev, allow',
    'p, ada, projects, get, dev, allow',
    'p, bob, projects, create, dev, allow',
    'p, bob, projects, update, dev, allow',
  )
  await assert.rejects(createOne(context, project('prod'), callBy('ada')), {
    message: 'permission denied: projects, create, prod, sub: ada',
  })
  assert.equal((await createOne(context, project('dev'), callBy('ada'))).outcome, 'created')
  assert.equal((await createOne(context, project('dev'), callBy('ada'))).outcome, 'unchanged')
  const changed = project('dev', { description: 'x' })
  await assert.rejects(createOne(context, changed), { name: 'InvalidInputError', message: /use upsert/ })
  await assert.rejects(createOne(context, changed, callBy('ada'), true), {
    message: 'permission denied: projects, update, dev, sub: ada',
  })
  for (const upsert of [false, true]) {
    await assert.rejects(createOne(context, changed, callBy('bob'), upsert), {
      message: 'permission denied: projects, create, dev, sub: bob',
    })
  }
  assert.equal((await createOne(context, changed, callContext(), true)).outcome, 'updated')
})

test('a project that cannot be read or that has roles which mean another one is refused', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const policies = ['p, proj:prod:ci, applications, get, prod/*, allow', 'nonsense']
  for (const [sent, message] of [
    [
      project('dev', { roles: [{ name: 'ci', policies }] }),
      /policies\[0\]: .*; .*policies\[1\]: must be "p"/,
    ],
    [project('dev', { destinations: [{ server: '[!]' }] }), /spec\.destinations\[0\]\.server: /],
    [project('dev', { permitOnlyProjectScopedClusters: 'yes' }), /must be a boolean, not a string/],
    [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'dev' } }, /^kind is Secret, not AppProject$/],
    [{ metadata: { name: 'dev', namespace: 'team' } }, /metadata\.namespace must be argocd/],
  ] as const) {
    await assert.rejects(createOne(context, sent), { name: 'InvalidInputError', message })
    await assert.rejects(updateOne(context, sent), { name: 'InvalidInputError', message })
  }
  assert.deepEqual((await context.store.list('AppProject')).items, [])
})

test('tokens of roles are kept from the stored project and never taken from a request', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const token = { iat: 1_700_000_000, id: 'real' }
  await storeProject(context, 'dev', { roles: [{ name: 'ci', jwtTokens: [token] }] })
  const sent = project('dev', {
    roles: [
      { name: 'ci', description: 'builds', jwtTokens: [{ iat: 1, id: 'forged' }] },
      { name: 'new', jwtTokens: [{ iat: 2, id: 'forged' }] },
    ],
  })
  for (const { project: stored } of [
    await updateOne(context, sent),
    await createOne(context, sent, callContext(), true),
  ]) {
    assert.deepEqual((stored['spec'] as JsonObject)['roles'], [
      { name: 'ci', description: 'builds', jwtTokens: [token] },
      { name: 'new' },
    ])
  }
})

test('the tokens of a removed role are revoked before the answer, so a new role of its name has none', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const token = { iat: 1_700_000_000, id: 'real' }
  await storeProject(context, 'dev', { roles: [{ name: 'ci', jwtTokens: [token] }] })
  const stored = () => context.store.get('AppProject', 'argocd', 'dev')
  const listed = await stored()
  assert.ok(listed)
  await context.store.updateStatus({ ...listed, status: { jwtTokensByRole: { ci: { items: [token] } } } })
  const { project: answer } = await updateOne(context, project('dev', { roles: [] }))
  const without = await stored()
  assert.deepEqual(without?.status, { jwtTokensByRole: {} })
  assert.deepEqual(answer['metadata'], without?.metadata)
  await updateOne(context, project('dev', { roles: [{ name: 'ci' }] }))
  assert.deepEqual(projectTokens(await stored(), 'ci'), [])
})

test('an update from an older version loses', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  const { project: first } = await createOne(context, project('dev'))
  await updateOne(context, project('dev', { description: 'x' }))
  await assert.rejects(updateOne(context, { ...first, spec: { description: 'y' } }), {
    name: 'ConflictError',
  })
})

test('a project with Applications stays, and so does default', async () => {
  await using fixture = await openGatewayFixture()
  const { context } = fixture
  for (const name of ['dev', 'devel']) await storeProject(context, name)
  const application = sampleApplication('web', { project: 'dev' })
  await context.store.create(application)
  await assert.rejects(deleteOne(context, 'dev'), {
    name: 'FailedPreconditionError',
    message: '1 application belongs to project dev; move or delete them first',
  })
  await context.store.create({ ...application, metadata: { name: 'web', namespace: 'team' } })
  await assert.rejects(deleteOne(context, 'dev'), { message: /^2 applications belong to project dev;/ })
  await deleteOne(context, 'devel')
  for (const namespace of ['argocd', 'team']) await context.store.delete('Application', namespace, 'web')
  await deleteOne(context, 'dev')
  assert.deepEqual((await context.store.list('AppProject')).items, [])
  await assert.rejects(deleteOne(context, 'default'), {
    name: 'FailedPreconditionError',
    message: 'project default is always there and cannot be deleted',
  })
})
