import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { allAccounts, findAccount } from './account.ts'
import { addApiKey, removeApiKey } from './api-keys.ts'
import { followSignInObjects } from './sign-in-objects.ts'

async function openAccounts(config: Record<string, string>, secret: Record<string, string> = {}) {
  const gateway = await openGatewayFixture()
  const { store } = gateway.context
  const named = (name: string) => ({ apiVersion: 'v1', metadata: { name, namespace: controlPlaneNamespace } })
  await store.create({ ...named('argocd-cm'), kind: 'ConfigMap', data: config })
  await store.create({ ...named('argocd-secret'), kind: 'Secret', stringData: secret })
  // What is there at the start is known at once.
  const objects = await followSignInObjects(store)
  return {
    objects,
    store,
    [Symbol.asyncDispose]: async () => {
      await objects[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}

test('accounts are read as Argo CD stores them', async () => {
  await using opened = await openAccounts(
    {
      'accounts.alice': 'apiKey, login',
      'accounts.bob': 'login',
      'accounts.bob.enabled': 'false',
      'accounts.ci': ' apiKey ,, unknown ',
      'accounts.a.b.c': 'login',
      'accounts.': 'login',
      'accounts.proj:dev:ci': 'login',
      accounts: 'login',
    },
    {
      'admin.password': '$2a$10$hash',
      'admin.passwordMtime': '2026-08-01T10:00:00Z',
      'accounts.alice.password': '$2a$10$alice\n',
      'accounts.alice.passwordMtime': '2026-08-01T10:00:00.5+02:00',
      'accounts.ci.tokens': '[{"id":"one","iat":10},{"id":"two","iat":20,"exp":30}]',
      'accounts.bob.tokens': 'broken',
    },
  )
  const none = { passwordHash: undefined, passwordSetAt: 0, tokens: [] }
  assert.deepEqual(allAccounts(opened.objects), [
    {
      name: 'admin',
      enabled: true,
      capabilities: ['login'],
      passwordHash: '$2a$10$hash',
      passwordSetAt: 1_785_578_400,
      tokens: [],
    },
    {
      name: 'alice',
      enabled: true,
      capabilities: ['apiKey', 'login'],
      passwordHash: '$2a$10$alice',
      passwordSetAt: 1_785_571_201,
      tokens: [],
    },
    { ...none, name: 'bob', enabled: false, capabilities: ['login'] },
    {
      ...none,
      name: 'ci',
      enabled: true,
      capabilities: ['apiKey'],
      tokens: [
        { id: 'one', issuedAt: 10, expiresAt: 0 },
        { id: 'two', issuedAt: 20, expiresAt: 30 },
      ],
    },
  ])
  for (const name of ['bob.enabled', '__proto__', 'constructor', '', 'a.b.c', 'proj:dev:ci']) {
    assert.equal(findAccount(opened.objects, name), undefined, name)
  }
})

test('admin is disabled by anything but a clear yes, and may have API keys when it is listed', async () => {
  for (const [text, enabled] of [
    ['false', false],
    ['no', false],
    ['', false],
    ['true', true],
  ] as const) {
    await using opened = await openAccounts({ 'admin.enabled': text, 'accounts.admin': 'apiKey' })
    const admin = findAccount(opened.objects, 'admin')
    assert.equal(admin?.enabled, enabled, text)
    assert.deepEqual(admin?.capabilities, ['login', 'apiKey'])
  }
})

test('keys are listed and struck out as Argo CD writes them, and the rest of the Secret stays as it is', async () => {
  const binary = Buffer.from([0xff, 0xfe, 0x00, 0x80])
  await using opened = await openAccounts(
    { 'accounts.ci': 'apiKey' },
    { 'admin.password': 'hash', 'accounts.ci.tokens': 'null' },
  )
  const { objects, store } = opened
  const secret = await store.get('Secret', controlPlaneNamespace, 'argocd-secret')
  assert.ok(secret)
  await store.update({ ...secret, data: { ...secret.data, 'server.secretkey': binary.toString('base64') } })
  await addApiKey(objects, 'ci', { id: 'one', issuedAt: 10, expiresAt: 0 })
  await addApiKey(objects, 'ci', { id: 'two', issuedAt: 20, expiresAt: 30 })
  await assert.rejects(addApiKey(objects, 'ci', { id: 'two', issuedAt: 21, expiresAt: 0 }), {
    name: 'AlreadyExistsError',
    message: "account already has token with id 'two'",
  })
  await removeApiKey(objects, 'ci', 'one')
  await assert.rejects(removeApiKey(objects, 'ci', 'one'), { name: 'NotFoundError' })
  const stored = await store.get('Secret', controlPlaneNamespace, 'argocd-secret')
  const text = (key: string) => Buffer.from(stored?.data?.[key] ?? '', 'base64')
  assert.equal(text('accounts.ci.tokens').toString(), '[{"id":"two","iat":20,"exp":30}]')
  assert.equal(text('admin.password').toString(), 'hash')
  assert.deepEqual(text('server.secretkey'), binary)
})

test('a list of keys that cannot be read is not overwritten', async () => {
  for (const broken of ['broken', '{}', '[1]', '[{"id":"x"}]']) {
    await using opened = await openAccounts({ 'accounts.ci': 'apiKey' }, { 'accounts.ci.tokens': broken })
    await assert.rejects(addApiKey(opened.objects, 'ci', { id: 'one', issuedAt: 10, expiresAt: 0 }), {
      name: 'FailedPreconditionError',
      message:
        'Secret argocd-secret, accounts.ci.tokens: must be a JSON list of {"id", "iat", "exp"}; correct or remove it',
    })
    assert.equal(opened.objects.secret('argocd-secret').get('accounts.ci.tokens'), broken)
  }
})
