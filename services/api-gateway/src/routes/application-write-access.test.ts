import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import {
  CreateApplicationRequestSchema,
  UpdateApplicationRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { toStruct } from '../applications/read-application.ts'
import { callBy } from '../authorization/policy-fixture.ts'
import type { GatewayContext } from '../context.ts'
import { sampleApplication } from '../gateway-fixture.ts'
import { application, openWith } from './application-access-fixture.ts'
import { changedApplicationRoutes } from './changed-applications.ts'

const name = 'web'

function send(context: GatewayContext, sent: Resource, user: string, upsert = false) {
  const request = create(CreateApplicationRequestSchema, { application: toStruct(sent), upsert })
  return changedApplicationRoutes(context).createApplication(request, callBy(user))
}

function update(context: GatewayContext, sent: Resource, user: string) {
  const request = create(UpdateApplicationRequestSchema, { application: toStruct(sent) })
  return changedApplicationRoutes(context).updateApplication(request, callBy(user))
}

test('CreateApplication needs create in the project, and update to replace one', async () => {
  await using fixture = await openWith(
    'p, creator, applications, create, dev/*, allow',
    'p, creator, applications, get, dev/*, allow',
    'p, editor, applications, update, dev/*, allow',
    'p, editor, applications, get, dev/*, allow',
  )
  const { context } = fixture
  assert.equal((await send(context, application('dev', 'api'), 'creator')).outcome, 'created')
  await assert.rejects(send(context, application('dev', 'job'), 'editor'), {
    message: 'permission denied: applications, create, dev/job, sub: editor',
  })
  await assert.rejects(send(context, application('prod', 'job'), 'creator'), {
    message: 'permission denied: applications, create, prod/job, sub: creator',
  })
  const changed = sampleApplication('web', { project: 'dev', syncPolicy: {} })
  await assert.rejects(send(context, changed, 'creator', true), {
    message: 'permission denied: applications, update, dev/web, sub: creator',
  })
  assert.equal((await send(context, changed, 'editor', true)).outcome, 'updated')
})

test('CreateApplication over a hidden one is refused as if create were missing, whatever the caller may do', async () => {
  await using fixture = await openWith(
    'p, ada, applications, *, prod/*, allow',
    'p, bob, applications, create, */*, allow',
    'p, bob, applications, update, */*, allow',
  )
  const { context } = fixture
  const before = await context.store.get('Application', 'argocd', name)
  for (const upsert of [false, true]) {
    for (const user of ['ada', 'bob']) {
      await assert.rejects(send(context, application('prod'), user, upsert), {
        name: 'PermissionDeniedError',
        message: `permission denied: applications, create, prod/web, sub: ${user}`,
      })
    }
  }
  assert.deepEqual(await context.store.get('Application', 'argocd', name), before)
})

test('a move to another project needs update where it is and create where it goes', async () => {
  await using fixture = await openWith(
    'p, one, applications, *, dev/*, allow',
    'p, two, applications, *, prod/*, allow',
    'p, two, applications, get, dev/*, allow',
    'p, both, applications, *, dev/*, allow',
    'p, both, applications, create, prod/*, allow',
  )
  const { context } = fixture
  const moved = application('prod')
  for (const move of [
    (user: string) => update(context, moved, user),
    (user: string) => send(context, moved, user, true),
  ]) {
    await assert.rejects(move('one'), {
      message: 'permission denied: applications, create, prod/web, sub: one',
    })
    await assert.rejects(move('two'), {
      message: 'permission denied: applications, update, dev/web, sub: two',
    })
  }
  await update(context, moved, 'both')
  const stored = await context.store.get('Application', 'argocd', name)
  assert.equal(stored?.spec?.['project'], 'prod')
})

test('owners are never taken from a request and stay through an update', async () => {
  await using fixture = await openWith('p, ada, applications, *, dev/*, allow')
  const { context } = fixture
  const owner = (uid: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: 'set',
    uid,
    controller: true,
  })
  const owned = (resource: Resource, uid: string): Resource => ({
    ...resource,
    metadata: { ...resource.metadata, ownerReferences: [owner(uid)] },
  })
  await send(context, owned(application('dev', 'api'), 'forged'), 'ada')
  const api = await context.store.get('Application', 'argocd', 'api')
  assert.equal(api?.metadata.ownerReferences, undefined)
  await context.store.create(owned(application('dev', 'child'), 'real'))
  const changed = sampleApplication('child', { project: 'dev', syncPolicy: {} })
  await update(context, owned(changed, 'forged'), 'ada')
  const child = await context.store.get('Application', 'argocd', 'child')
  assert.deepEqual(child?.metadata.ownerReferences, [owner('real')])
  assert.deepEqual(child?.spec?.['syncPolicy'], {})
})
