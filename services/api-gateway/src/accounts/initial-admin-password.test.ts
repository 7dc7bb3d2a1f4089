import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from 'bcryptjs'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { findAccount } from './account.ts'
import {
  forgetInitialAdminPassword,
  initialAdminPassword,
  makeInitialAdminPassword,
} from './initial-admin-password.ts'
import { followSignInObjects } from './sign-in-objects.ts'

test('gateways that start together give admin one random password, which signs in and is not logged', async () => {
  await using gateway = await openGatewayFixture()
  const { store, signIn } = gateway.context
  await using other = await followSignInObjects(store)
  assert.equal(await initialAdminPassword(store), undefined)
  await Promise.all([signIn.objects, other].map((objects) => makeInitialAdminPassword(objects, 1_000)))
  const password = await initialAdminPassword(store)
  assert.match(password ?? '', /^[\w-]{24}$/)
  const hash = findAccount(signIn.objects, 'admin')?.passwordHash ?? ''
  assert.equal(await compare(password ?? '', hash), true)
  await makeInitialAdminPassword(signIn.objects, 2_000)
  assert.equal(findAccount(signIn.objects, 'admin')?.passwordHash, hash)
  assert.equal(gateway.lines.join('').includes(password ?? ''), false)
  await forgetInitialAdminPassword(store)
  await forgetInitialAdminPassword(store)
  assert.equal(await initialAdminPassword(store), undefined)
})

test('no password is made for an admin who is disabled or has one', async () => {
  const metadata = { name: 'argocd-cm', namespace: controlPlaneNamespace }
  await using disabled = await openGatewayFixture()
  const data = { 'admin.enabled': 'false' }
  await disabled.context.store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
  await using given = await openGatewayFixture()
  await given.context.store.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, name: 'argocd-secret' },
    stringData: { 'admin.password': 'hash' },
  })
  for (const { context } of [disabled, given]) {
    await using objects = await followSignInObjects(context.store)
    await makeInitialAdminPassword(objects, 1_000)
    assert.equal(await initialAdminPassword(context.store), undefined)
  }
})
