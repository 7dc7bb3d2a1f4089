import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { hash } from 'bcryptjs'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { openSignInFixture, operatorToken, withToken } from '../sessions/sign-in-fixture.ts'

const password = 'correct horse'

test('a sign-in returns a token that is valid for an hour, and the user info names the user', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({ 'accounts.alice': 'login' })
  await fixture.setPassword('alice', await hash(password, 4))
  const { token } = await fixture.sessions.create({ username: 'alice', password })
  const { iss, aud, sub, iat = 0, nbf = 0, exp = 0, jti } = decodeJwt(token)
  assert.deepEqual([iss, aud, sub, exp - iat], ['argocd', 'wadi', 'alice:login', 3600])
  assert.ok(nbf <= Date.now() / 1_000)
  assert.match(jti ?? '', /^[\da-f-]{36}$/)
  const { alg, kid } = decodeProtectedHeader(token)
  assert.equal(alg, 'HS256')
  assert.match(kid ?? '', /^[\da-f-]{36}$/)
  const info = await fixture.sessions.getUserInfo({}, withToken(token))
  assert.deepEqual([info.loggedIn, info.username, info.iss, info.groups], [true, 'alice', 'argocd', []])
  assert.ok(!fixture.gateway.lines.join('').includes(password))
  assert.ok(!fixture.gateway.lines.join('').includes(token))
})

test('without a token nobody is signed in, which is not an error', async () => {
  await using fixture = await openSignInFixture()
  for (const headers of [{}, { token: '' }, { token: 'wrong' }]) {
    const info = await fixture.sessions.getUserInfo({}, { headers })
    assert.deepEqual([info.loggedIn, info.username, info.iss], [false, '', ''])
  }
  const operator = await fixture.sessions.getUserInfo({}, withToken(operatorToken))
  assert.deepEqual([operator.loggedIn, operator.username], [true, 'admin'])
})

test('only those who know the password of an account learn that it is disabled', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({
    'accounts.off': 'login',
    'accounts.off.enabled': 'false',
    'accounts.ci': 'apiKey',
  })
  for (const [username, reason] of [
    ['off', 'Account off is disabled'],
    ['ci', 'Account ci does not have login capability'],
  ] as const) {
    await fixture.setPassword(username, await hash(password, 4))
    const refused = (given: string, rawMessage: string) =>
      assert.rejects(fixture.sessions.create({ username, password: given }), {
        code: Code.Unauthenticated,
        rawMessage,
      })
    await refused('wrong', 'Invalid username or password')
    await refused(password, reason)
    await refused('', 'Blank passwords are not allowed')
  }
})

test('a token is not taken for a password', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  await assert.rejects(fixture.sessions.create({ token }), { code: Code.InvalidArgument })
})

test('a token lives no longer than its session may', async () => {
  await using fixture = await openSignInFixture({ tokenSeconds: 7200 })
  const lifetime = async () => {
    const { exp = 0, iat = 0 } = decodeJwt(await fixture.sessionOf('admin'))
    return exp - iat
  }
  assert.equal(await lifetime(), 7200)
  await fixture.configure({ 'users.session.duration': '30m' })
  assert.equal(await lifetime(), 1800)
})

test('a provider whose configuration cannot be read keeps nobody else from signing in', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({ 'oidc.config': 'issuer: [', url: 'https://wadi.example.com' })
  const { url, oidcConfig } = await fixture.client(SettingsService).get({})
  assert.deepEqual([url, oidcConfig], ['https://wadi.example.com', undefined])
})
