import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { mutate } from '@wadi/resources/store/resource-store.ts'
import { SignJWT, UnsecuredJWT } from 'jose'
import { until } from '@wadi/testing/until.ts'
import { addApiKey, removeApiKey } from '../accounts/api-keys.ts'
import { storePassword } from '../accounts/password.ts'
import { addProjectToken, removeProjectToken } from '../accounts/project-token-changes.ts'
import { sessionKeys } from './key-ring.ts'
import type { SessionToken, TokenOwner } from './session-token.ts'
import { signListedToken } from './sign-in.ts'
import { openSignInFixture, type SignInFixture } from './sign-in-fixture.ts'

async function refused(fixture: SignInFixture, token: string, reason: string): Promise<void> {
  await assert.rejects(fixture.whoAmI({ token }), { code: Code.Unauthenticated, rawMessage: reason })
}

function listed(fixture: SignInFixture, owner: TokenOwner, id: string, expiresAt = 0): SessionToken {
  return { owner, id, issuedAt: Math.floor(fixture.signIn.now()), expiresAt }
}

async function storeProject({ gateway, signIn }: SignInFixture, name: string, roles: string[]) {
  const metadata = { name, namespace: controlPlaneNamespace }
  const spec = { roles: roles.map((role) => ({ name: role })) }
  const project = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata, spec }
  const { store } = gateway.context
  const exists = await store.get('AppProject', controlPlaneNamespace, name)
  const stored = await (exists
    ? mutate(store, 'AppProject', controlPlaneNamespace, name, () => project)
    : store.create(project))
  const { generation } = stored.metadata
  await until(() => signIn.objects.project(name)?.metadata.generation === generation)
}

test('tokens that are not signed here, as we sign, are refused', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  const [key] = sessionKeys(fixture.signIn.objects)
  assert.ok(key)
  const { kid } = key
  const now = Math.floor(Date.now() / 1_000)
  const claims = {
    iss: 'argocd',
    aud: 'wadi',
    sub: 'admin:login',
    jti: 'x',
    sid: 'x',
    auth_time: now,
    iat: now,
    nbf: now,
    exp: now + 60,
  }
  const sign = (
    changed: object,
    header: object = { alg: 'HS256', kid },
    secret: KeyObject | Uint8Array = key.key,
  ) => new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: 'HS256', ...header }).sign(secret)
  assert.equal(await fixture.whoAmI({ token: await sign({}) }), 'admin')
  const [head, body, signature = ''] = token.split('.')
  const rejections: [string, string][] = [
    [new UnsecuredJWT(claims).encode(), 'tokens must be signed with HS256'],
    [await sign({}, { alg: 'HS512', kid }, Buffer.alloc(64)), 'tokens must be signed with HS256'],
    [await sign({}, { kid: 'other' }), 'the token was signed with an unknown key'],
    [await sign({}, { alg: 'HS256' }), 'the token was signed with an unknown key'],
    [await sign({}, { kid }, Buffer.alloc(32)), 'the signature is wrong'],
    [
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'the signature is wrong',
    ],
    [`${head}.${body}.`, 'the signature is wrong'],
    [await sign({ aud: 'argocd' }), 'the token is for another audience'],
    [await sign({ aud: undefined }), 'the token is for another audience'],
    [await sign({ iss: 'other' }), 'the issuer of the token is not trusted here'],
    [await sign({ exp: now - 60 }), 'the token has expired; sign in again'],
    [await sign({ exp: undefined }), 'the token names no account and no project role'],
    [await sign({ sid: undefined }), 'the token names no account and no project role'],
    [await sign({ sub: 'admin' }), 'the token names no account and no project role'],
    [await sign({ sub: 'admin:root' }), 'the token names no account and no project role'],
    [await sign({ sub: 'role:x:y:login' }), 'the token names no account and no project role'],
    ['not.a.token', 'the token is not valid here'],
  ]
  for (const [text, reason] of rejections) await refused(fixture, text, `invalid session: ${reason}`)
  await assert.rejects(fixture.whoAmI({ token: await sign({ nbf: now + 1_000 }) }), {
    code: Code.Unauthenticated,
    rawMessage:
      /^invalid session: the clock of its issuer is (?:9\d\d|1000) s or more ahead of the clock of this machine; set both clocks$/,
  })
  const logged = fixture.gateway.lines.join('')
  for (const [text] of rejections) assert.ok(!logged.includes(text))
})

test('a session ends with its account, its capability and its password', async () => {
  await using fixture = await openSignInFixture()
  const listing = { 'accounts.alice': 'login' }
  await fixture.configure(listing)
  await fixture.setPassword('alice', 'first')
  const token = await fixture.sessionOf('alice')
  assert.equal(await fixture.whoAmI({ token }), 'alice')
  await fixture.configure({ ...listing, 'accounts.alice.enabled': 'false' })
  await refused(fixture, token, 'Account alice is disabled')
  await fixture.configure({ 'accounts.alice': 'apiKey' })
  await refused(fixture, token, 'Account alice does not have login capability')
  await fixture.configure({})
  await refused(fixture, token, 'invalid session: account alice does not exist')
  await fixture.configure(listing)
  assert.equal(await fixture.whoAmI({ token }), 'alice')
  fixture.clock.aheadSeconds = 10
  await fixture.setPassword('alice', 'second')
  await refused(fixture, token, 'invalid session: account password has changed since token issued')
  assert.equal(await fixture.whoAmI({ token: await fixture.sessionOf('alice') }), 'alice')
})

test('of two sessions within one second the one before the new password ends, the other continues', async () => {
  await using fixture = await openSignInFixture()
  const { objects } = fixture.signIn
  const before = await fixture.sessionOf('admin')
  for (let change = 0; change < 2; change++) {
    await storePassword(objects, 'admin', 'hash', fixture.signIn.now())
    await refused(fixture, before, 'invalid session: account password has changed since token issued')
    const after = await fixture.sessionOf('admin')
    assert.equal(await fixture.whoAmI({ token: after }), 'admin')
  }
})

test('a token that was renewed after a new password, by a gateway that had not seen it, is no longer valid', async () => {
  await using fixture = await openSignInFixture()
  const now = Math.floor(fixture.signIn.now())
  const renewed = (startedAt: number) =>
    signListedToken(fixture.signIn, {
      owner: { kind: 'session', account: 'admin', session: { id: 's', startedAt } },
      id: 'renewed',
      issuedAt: now,
      expiresAt: now + 60,
    })
  await fixture.setPassword('admin', 'x')
  await refused(
    fixture,
    await renewed(now - 100),
    'invalid session: account password has changed since token issued',
  )
  assert.equal(await fixture.whoAmI({ token: await renewed(now) }), 'admin')
})

test('an API key is valid while it is listed, and its account has the capability', async () => {
  await using fixture = await openSignInFixture()
  const { objects } = fixture.signIn
  await fixture.configure({ 'accounts.ci': 'apiKey', 'accounts.other': 'apiKey' })
  const key = listed(fixture, { kind: 'apiKey', account: 'ci' }, 'build')
  const token = await signListedToken(fixture.signIn, key)
  const gone = 'invalid session: account ci does not have token with id build: it was revoked'
  await refused(fixture, token, gone)
  await addApiKey(objects, 'other', key)
  await refused(fixture, token, gone)
  await addApiKey(objects, 'ci', key)
  assert.equal(await fixture.whoAmI({ token }), 'ci')
  await fixture.configure({ 'accounts.ci': 'login' })
  await refused(fixture, token, 'Account ci does not have apiKey capability')
  await fixture.configure({ 'accounts.ci': 'apiKey' })
  await removeApiKey(objects, 'ci', 'build')
  await refused(fixture, token, gone)
})

test('a project token is valid only for the role that lists it', async () => {
  await using fixture = await openSignInFixture()
  const { objects } = fixture.signIn
  await storeProject(fixture, 'dev', ['ci', 'admin'])
  await storeProject(fixture, 'prod', ['ci'])
  const forRole = async (project: string, role: string) =>
    signListedToken(fixture.signIn, listed(fixture, { kind: 'project', project, role }, 'build'))
  await addProjectToken(objects, 'dev', 'ci', { id: 'build', issuedAt: 1, expiresAt: 0 })
  const token = await forRole('dev', 'ci')
  assert.equal(await fixture.whoAmI({ token }), 'proj:dev:ci')
  for (const [project, role] of [
    ['dev', 'admin'],
    ['prod', 'ci'],
    ['none', 'ci'],
  ] as const) {
    const reason = `invalid session: role ${role} of project ${project} does not have token with id build: it was revoked`
    await refused(fixture, await forRole(project, role), reason)
  }
  await removeProjectToken(objects, 'dev', 'ci', 'build')
  await refused(
    fixture,
    token,
    'invalid session: role ci of project dev does not have token with id build: it was revoked',
  )
})

test('a role that is removed and made again has none of its former tokens', async () => {
  await using fixture = await openSignInFixture()
  const { objects } = fixture.signIn
  await storeProject(fixture, 'dev', ['ci'])
  await addProjectToken(objects, 'dev', 'ci', { id: 'build', issuedAt: 1, expiresAt: 0 })
  const key = listed(fixture, { kind: 'project', project: 'dev', role: 'ci' }, 'build')
  const token = await signListedToken(fixture.signIn, key)
  assert.equal(await fixture.whoAmI({ token }), 'proj:dev:ci')
  // A project that is applied again from git does not name its tokens.
  await storeProject(fixture, 'dev', ['ci', 'other'])
  assert.equal(await fixture.whoAmI({ token }), 'proj:dev:ci')
  const reason = 'invalid session: role ci of project dev does not have token with id build: it was revoked'
  await storeProject(fixture, 'dev', ['other'])
  await refused(fixture, token, reason)
  const lists = () => objects.project('dev')?.status?.['jwtTokensByRole']
  await until(() => JSON.stringify(lists()) === '{}')
  await storeProject(fixture, 'dev', ['ci'])
  await refused(fixture, token, reason)
})

test('an API key and a project token with an expiry end with it', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({ 'accounts.ci': 'apiKey' })
  const expiry = Math.floor(fixture.signIn.now()) + 60
  const key = listed(fixture, { kind: 'apiKey', account: 'ci' }, 'short', expiry)
  await addApiKey(fixture.signIn.objects, 'ci', key)
  const token = await signListedToken(fixture.signIn, key)
  assert.equal(await fixture.whoAmI({ token }), 'ci')
  fixture.clock.aheadSeconds = 70
  await refused(fixture, token, 'invalid session: the token has expired; sign in again')
})
