import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  CreateProjectTokenRequestSchema,
  DeleteProjectTokenRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/project_service_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { until } from '@wadi/testing/until.ts'
import { administrator, type Caller } from '../authentication/caller.ts'
import { callContext, openGatewayFixture } from '../gateway-fixture.ts'
import { verifyToken } from '../sessions/verify-token.ts'
import { projectTokenRoutes } from './project-tokens.ts'

function caller(sub: string, ...groups: string[]): Caller {
  return { ...administrator, subject: { sub, groups }, username: sub }
}

/** A project `dev` with a role `ci` for two groups and one token of Argo CD without an id. */
async function openProject() {
  const gateway = await openGatewayFixture()
  const { store, policy, signIn } = gateway.context
  const policies = ['p, proj:dev:ci, applications, sync, dev/*, allow']
  await store.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'dev', namespace: controlPlaneNamespace },
    spec: {
      description: 'kept',
      roles: [
        { name: 'ci', policies, groups: ['builders', '"ops, night"'], jwtTokens: [{ iat: 5 }] },
        { name: 'readers', groups: ['builders'] },
      ],
    },
  })
  await store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-rbac-cm', namespace: controlPlaneNamespace },
    data: {
      'policy.csv':
        'p, owner, projects, get, dev, allow\np, owner, projects, update, dev, allow\np, guest, projects, get, dev, allow',
    },
  })
  await until(
    () =>
      policy.enforcer.allows(caller('guest').subject, 'projects', 'get', 'dev') &&
      policy.enforcer.allows(caller('x', 'builders').subject, 'projects', 'get', 'dev') &&
      signIn.objects.project('dev') !== undefined,
  )
  const add = (by: Caller, fields: { role?: string; id?: string; expiresIn?: bigint; project?: string }) =>
    projectTokenRoutes(gateway.context).createProjectToken(
      create(CreateProjectTokenRequestSchema, { project: 'dev', role: 'ci', ...fields }),
      callContext(undefined, by),
    )
  const remove = (by: Caller, id: string, role = 'ci') =>
    projectTokenRoutes(gateway.context).deleteProjectToken(
      create(DeleteProjectTokenRequestSchema, { project: 'dev', role, id }),
      callContext(undefined, by),
    )
  const stored = async () => {
    const project = await store.get('AppProject', controlPlaneNamespace, 'dev')
    return {
      roles: project?.spec?.['roles'],
      status: project?.status,
      description: project?.spec?.['description'],
    }
  }
  return { gateway, signIn, add, remove, stored, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

test('a token is listed in the spec and the status of its project, beside those that were there', async () => {
  await using project = await openProject()
  const { token, id, issuedAt, expiresAt } = await project.add(caller('owner'), {
    id: 'build',
    expiresIn: 60n,
  })
  assert.deepEqual([id, expiresAt - issuedAt], ['build', 60n])
  const { owner } = await verifyToken(project.signIn, token)
  assert.deepEqual(owner, { kind: 'project', project: 'dev', role: 'ci' })
  const tokens = [{ iat: 5 }, { id: 'build', iat: Number(issuedAt), exp: Number(expiresAt) }]
  const { roles, status, description } = await project.stored()
  assert.deepEqual(roles, [
    {
      name: 'ci',
      policies: ['p, proj:dev:ci, applications, sync, dev/*, allow'],
      groups: ['builders', '"ops, night"'],
      jwtTokens: tokens,
    },
    { name: 'readers', groups: ['builders'] },
  ])
  assert.deepEqual(status, { jwtTokensByRole: { ci: { items: tokens } } })
  assert.equal(description, 'kept')
  await assert.rejects(project.add(caller('owner'), { id: 'build' }), { name: 'AlreadyExistsError' })
})

test('members of the groups of a role make and revoke its tokens without any other right', async () => {
  await using project = await openProject()
  for (const group of ['builders', 'ops, night']) {
    const { token, id } = await project.add(caller('x', group), {})
    await verifyToken(project.signIn, token)
    await project.remove(caller('x', group), id)
    await assert.rejects(verifyToken(project.signIn, token), { name: 'UnauthenticatedError' })
  }
  await assert.rejects(project.add(caller('guest'), {}), {
    name: 'PermissionDeniedError',
    message: 'permission denied: projects, update, dev, sub: guest',
  })
  await assert.rejects(project.add(caller('x', 'ops, night'), { role: 'readers' }), {
    name: 'PermissionDeniedError',
  })
  await assert.rejects(project.remove(caller('guest'), '5'), { name: 'PermissionDeniedError' })
})

test('a project that the caller may not see is as one that does not exist', async () => {
  await using project = await openProject()
  for (const [by, name] of [
    [caller('outsider', 'ops'), 'dev'],
    [caller('owner'), 'none'],
  ] as const) {
    await assert.rejects(project.add(by, { project: name }), {
      name: 'NotFoundError',
      message: `appprojects.argoproj.io "${name}" not found`,
    })
  }
  await assert.rejects(project.add(caller('owner'), { role: 'none' }), { name: 'NotFoundError' })
  await assert.rejects(project.add(caller('owner'), { expiresIn: -1n }), { name: 'InvalidInputError' })
})

test('a token without an id is revoked by when it was issued', async () => {
  await using project = await openProject()
  await project.remove(caller('owner'), '5')
  const { status } = await project.stored()
  assert.deepEqual(status, { jwtTokensByRole: { ci: { items: [] } } })
  await assert.rejects(project.remove(caller('owner'), '5'), { name: 'NotFoundError' })
})

test('a token is revoked by when it was issued, as argocd names it, while no other is of that second', async () => {
  await using project = await openProject()
  const { issuedAt } = await project.add(caller('owner'), { id: 'build' })
  await project.remove(caller('owner'), String(issuedAt))
  assert.deepEqual((await project.stored()).status, { jwtTokensByRole: { ci: { items: [{ iat: 5 }] } } })
  project.signIn.now = () => 1_000
  for (const id of ['one', 'two']) await project.add(caller('owner'), { id })
  await assert.rejects(project.remove(caller('owner'), '1000'), {
    name: 'FailedPreconditionError',
    message: /several tokens of that second; .* one, two$/,
  })
  await project.remove(caller('owner'), 'two')
  await project.remove(caller('owner'), '1000')
})

test('tokens that are made at the same time are all listed', async () => {
  await using project = await openProject()
  const ids = ['a', 'b', 'c', 'd']
  const made = await Promise.all(ids.map((id) => project.add(caller('owner'), { id })))
  for (const { token } of made) await verifyToken(project.signIn, token)
  const { status } = await project.stored()
  assert.deepEqual(
    JSON.stringify(status)
      .match(/"id":"[a-d]"/g)
      ?.toSorted(),
    ids.map((id) => `"id":"${id}"`),
  )
})
