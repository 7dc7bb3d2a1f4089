import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { hash } from 'bcryptjs'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { UnsecuredJWT } from 'jose'
import { until } from '@wadi/testing/until.ts'
import { initialAdminPassword, makeInitialAdminPassword } from '../accounts/initial-admin-password.ts'
import type { ForeignTokenVerifier } from '../authentication/authenticate.ts'
import { administrator } from '../authentication/caller.ts'
import {
  openSignInFixture,
  operatorToken,
  type SignInFixture,
  withToken,
} from '../sessions/sign-in-fixture.ts'

const password = 'correct horse'
const operator = withToken(operatorToken)

/** Accounts alice, bob and ci, of which alice may look at bob. */
async function openAccounts(
  policy = 'p, alice, accounts, get, bob, allow',
  verifyForeignToken?: ForeignTokenVerifier,
): Promise<SignInFixture> {
  const fixture = await openSignInFixture({ ...(verifyForeignToken && { verifyForeignToken }) })
  const { store, policy: live } = fixture.gateway.context
  await fixture.configure({
    'accounts.alice': 'login, apiKey',
    'accounts.bob': 'login',
    'accounts.ci': 'apiKey',
  })
  await fixture.setPassword('alice', await hash(password, 4))
  const metadata = { name: 'argocd-rbac-cm', namespace: controlPlaneNamespace }
  await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'policy.csv': policy } })
  await until(() => live.config.policy.rules.length > 0)
  return fixture
}

test('accounts are listed as far as the caller may see them, always with their own', async () => {
  await using fixture = await openAccounts()
  const { accounts } = fixture
  const alice = withToken(await fixture.sessionOf('alice'))
  const bob = withToken(await fixture.sessionOf('bob'))
  const names = async (options: typeof alice) =>
    (await accounts.listAccounts({}, options)).items.map(({ name }) => name)
  assert.deepEqual(await names(operator), ['admin', 'alice', 'bob', 'ci'])
  assert.deepEqual(await names(alice), ['alice', 'bob'])
  assert.deepEqual(await names(bob), ['bob'])
  const { enabled, capabilities } = await accounts.getAccount({ name: 'alice' }, alice)
  assert.deepEqual([enabled, capabilities], [true, ['login', 'apiKey']])
  for (const [name, options] of [
    ['ci', alice],
    ['none', alice],
    ['none', operator],
  ] as const) {
    await assert.rejects(accounts.getAccount({ name }, options), {
      code: Code.NotFound,
      rawMessage: `account '${name}' does not exist`,
    })
  }
})

test('can-i answers by the policy of the server and takes known resources and actions alone', async () => {
  await using fixture = await openAccounts(
    'p, alice, applications, sync, dev/web, allow\np, alice, applications, action/apps/*, dev/*, allow',
  )
  const alice = withToken(await fixture.sessionOf('alice'))
  const ask = async (action: string, resource: string, subresource: string) =>
    (await fixture.accounts.canI({ resource, action, subresource }, alice)).value
  assert.equal(await ask('sync', 'applications', 'dev/web'), 'yes')
  assert.equal(await ask('sync', 'applications', 'dev/argocd/web'), 'yes')
  assert.equal(await ask('sync', 'applications', 'dev/other/web'), 'no')
  assert.equal(await ask('sync', 'applications', 'dev/api'), 'no')
  assert.equal(await ask('sync', 'clusters', 'dev/web'), 'no')
  assert.equal(await ask('action/apps/Deployment/restart', 'applications', 'dev/web'), 'yes')
  await assert.rejects(ask('get', 'apps', '*'), { code: Code.InvalidArgument })
  await assert.rejects(ask('synk', 'applications', 'dev/web'), {
    message: /unknown action "synk"; expected one of .*did you mean sync\?$/,
  })
  await assert.rejects(fixture.accounts.canI({ resource: 'applications', action: 'get' }), {
    code: Code.Unauthenticated,
  })
})

test('who changes their password proves the current one, and every older token ends', async () => {
  await using fixture = await openAccounts()
  const { accounts, sessions } = fixture
  const token = await fixture.sessionOf('alice')
  const alice = withToken(token)
  const change = (currentPassword: string, newPassword: string) =>
    accounts.updatePassword({ currentPassword, newPassword }, alice)
  await assert.rejects(change('wrong', 'new password'), {
    code: Code.InvalidArgument,
    rawMessage: 'current password does not match',
  })
  await assert.rejects(change(password, 'short'), {
    code: Code.InvalidArgument,
    rawMessage: 'new password does not match the following expression: ^.{8,32}$',
  })
  assert.equal(await fixture.whoAmI({ token }), 'alice')
  await change(password, 'new password')
  await assert.rejects(fixture.whoAmI({ token }), {
    rawMessage: 'invalid session: account password has changed since token issued',
  })
  await assert.rejects(sessions.create({ username: 'alice', password }), { code: Code.Unauthenticated })
  const next = await sessions.create({ username: 'alice', password: 'new password' })
  assert.equal(await fixture.whoAmI({ token: next.token }), 'alice')
})

test('a password that cannot be chosen is refused before the current one is compared', async () => {
  await using fixture = await openAccounts()
  const alice = withToken(await fixture.sessionOf('alice'))
  const { accounts } = fixture
  for (let call = 0; call < 6; call++) {
    await assert.rejects(accounts.updatePassword({ currentPassword: 'wrong', newPassword: 'short' }, alice), {
      rawMessage: 'new password does not match the following expression: ^.{8,32}$',
    })
  }
  await accounts.updatePassword({ currentPassword: password, newPassword: 'new password' }, alice)
})

test("guesses of one's own password through a stolen session are counted too", async () => {
  await using fixture = await openAccounts()
  const alice = withToken(await fixture.sessionOf('alice'))
  const change = (currentPassword: string) =>
    accounts.updatePassword({ currentPassword, newPassword: 'new password' }, alice)
  const { accounts } = fixture
  for (let guess = 0; guess < 5; guess++) {
    await assert.rejects(change('wrong'), { code: Code.InvalidArgument })
  }
  await assert.rejects(change(password), { rawMessage: 'current password does not match' })
})

test("another's password takes the right to update the account beside one's own password", async () => {
  await using fixture = await openAccounts(
    'p, alice, accounts, get, bob, allow\np, alice, accounts, update, ci, allow',
  )
  const alice = withToken(await fixture.sessionOf('alice'))
  const change = (name: string, currentPassword = password) =>
    fixture.accounts.updatePassword({ name, currentPassword, newPassword: 'new password' }, alice)
  await assert.rejects(change('bob'), { message: /permission denied: accounts, update, bob, sub: alice/ })
  await assert.rejects(change('admin'), { code: Code.NotFound })
  await assert.rejects(change('none'), { code: Code.NotFound })
  await assert.rejects(change('ci', 'wrong'), { code: Code.InvalidArgument })
  await change('ci')
})

test("the operator's token sets a forgotten password, and the first one of admin is forgotten", async () => {
  await using fixture = await openAccounts()
  const { objects, now } = fixture.signIn
  await makeInitialAdminPassword(objects, now() - 10)
  const first = await initialAdminPassword(objects.store)
  const session = await fixture.sessions.create({ username: 'admin', password: first ?? '' })
  assert.equal(await fixture.whoAmI({ token: session.token }), 'admin')
  await fixture.accounts.updatePassword({ newPassword: 'new password' }, operator)
  assert.equal(await initialAdminPassword(objects.store), undefined)
  await assert.rejects(fixture.whoAmI({ token: session.token }), { code: Code.Unauthenticated })
  await fixture.sessions.create({ username: 'admin', password: 'new password' })
})

test('an API key needs the right to update its account, for the own one too, and the capability', async () => {
  await using fixture = await openAccounts('p, alice, accounts, update, ci, allow')
  const { accounts } = fixture
  const alice = withToken(await fixture.sessionOf('alice'))
  await assert.rejects(accounts.createToken({ name: 'alice', id: 'mine' }, alice), {
    code: Code.PermissionDenied,
  })
  await assert.rejects(accounts.createToken({ name: 'bob', id: 'x' }, alice), { code: Code.NotFound })
  await assert.rejects(accounts.createToken({ name: 'bob', id: 'x' }, operator), {
    code: Code.FailedPrecondition,
    rawMessage: "account 'bob' does not have apiKey capability",
  })
  const { token } = await accounts.createToken({ name: 'ci', id: 'build', expiresIn: 60n }, alice)
  assert.equal(await fixture.whoAmI({ token }), 'ci')
  await assert.rejects(accounts.createToken({ name: 'ci', id: 'build' }, alice), {
    code: Code.AlreadyExists,
  })
  for (const wrong of [
    { id: 'a b' },
    { id: 'x'.repeat(129) },
    { expiresIn: -1n },
    { expiresIn: 2n ** 62n },
  ]) {
    await assert.rejects(accounts.createToken({ name: 'ci', ...wrong }, alice), {
      code: Code.InvalidArgument,
    })
  }
  const [listed] = (await accounts.getAccount({ name: 'ci' }, operator)).tokens
  assert.deepEqual([listed?.id, Number(listed?.expiresAt) - Number(listed?.issuedAt)], ['build', 60])
  const unnamed = await accounts.createToken({ name: 'ci' }, alice)
  assert.equal(await fixture.whoAmI({ token: unnamed.token }), 'ci')
  assert.ok(!fixture.gateway.lines.join('').includes(token))
})

test('an API key is revoked by who may update the account, and by the account itself', async () => {
  await using fixture = await openAccounts()
  const { accounts } = fixture
  const alice = withToken(await fixture.sessionOf('alice'))
  const bob = withToken(await fixture.sessionOf('bob'))
  for (const id of ['one', 'two']) await accounts.createToken({ name: 'alice', id }, operator)
  await assert.rejects(accounts.deleteToken({ name: 'alice', id: 'one' }, bob), { code: Code.NotFound })
  await accounts.deleteToken({ name: 'alice', id: 'one' }, operator)
  await accounts.deleteToken({ name: 'alice', id: 'two' }, alice)
  await assert.rejects(accounts.deleteToken({ name: 'alice', id: 'two' }, alice), { code: Code.NotFound })
  assert.deepEqual((await accounts.getAccount({ name: 'alice' }, alice)).tokens, [])
})

test("a provider's user of the name of an account is not the account", async () => {
  const issuedAt = Math.floor(Date.now() / 1_000)
  await using fixture = await openAccounts(
    'p, alice, accounts, update, ci, allow',
    async (_token, issuer) => ({
      ...administrator,
      subject: { sub: 'alice', groups: [] },
      username: 'alice@example.com',
      issuer,
      issuedAt,
    }),
  )
  const { accounts } = fixture
  const alice = withToken(new UnsecuredJWT({ iss: 'https://issuer.example.com' }).encode())
  const newPassword = 'new password'
  assert.deepEqual((await accounts.listAccounts({}, alice)).items, [])
  for (const name of ['', 'alice']) {
    await assert.rejects(accounts.updatePassword({ name, newPassword, currentPassword: password }, alice), {
      code: Code.NotFound,
    })
  }
  await assert.rejects(accounts.deleteToken({ name: 'alice', id: 'x' }, alice), { code: Code.NotFound })
  await accounts.updatePassword({ name: 'ci', newPassword }, alice)
  fixture.clock.aheadSeconds = 301
  await assert.rejects(accounts.updatePassword({ name: 'ci', newPassword }, alice), {
    code: Code.PermissionDenied,
    rawMessage: 'the sign-in is more than 5 minutes old; sign in again and repeat this',
  })
})
