import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { UnsecuredJWT } from 'jose'
import { until } from '@wadi/testing/until.ts'
import { addApiKey } from '../accounts/api-keys.ts'
import { findAccount } from '../accounts/account.ts'
import { followSignInObjects, revokedTokensSecret } from '../accounts/sign-in-objects.ts'
import { administrator } from '../authentication/caller.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { isRevoked, revokeSession } from './revoked-sessions.ts'
import { openSignInFixture, operatorToken, withToken } from './sign-in-fixture.ts'
import { signListedToken } from './sign-in.ts'

const signedOut = {
  code: Code.Unauthenticated,
  rawMessage: 'invalid session: the session was signed out; sign in again',
}

test('signing out ends all tokens of the session, renewed ones too, and no other session', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  const other = await fixture.sessionOf('admin')
  fixture.clock.aheadSeconds = 2_000
  let renewed = ''
  await fixture.client(VersionService).getVersion(
    {},
    {
      ...withToken(token),
      onHeader: (headers) => {
        renewed = headers.get('renew-token') ?? ''
      },
    },
  )
  assert.equal(await fixture.whoAmI({ token: renewed }), 'admin')
  assert.equal((await fixture.sessions.delete({}, withToken(token))).token, '')
  await assert.rejects(fixture.whoAmI({ token }), signedOut)
  await assert.rejects(fixture.whoAmI({ token: renewed }), signedOut)
  assert.equal(await fixture.whoAmI({ token: other }), 'admin')
  await fixture.sessions.delete({}, withToken(token))
  await fixture.sessions.delete({})
})

test('signing out with an API key revokes the key', async () => {
  await using fixture = await openSignInFixture()
  const { objects, now } = fixture.signIn
  await fixture.configure({ 'accounts.ci': 'apiKey' })
  const key = { id: 'build', issuedAt: Math.floor(now()), expiresAt: 0 }
  await addApiKey(objects, 'ci', key)
  const token = await signListedToken(fixture.signIn, { ...key, owner: { kind: 'apiKey', account: 'ci' } })
  await fixture.sessions.delete({}, withToken(token))
  assert.deepEqual(findAccount(objects, 'ci')?.tokens, [])
  await assert.rejects(fixture.whoAmI({ token }), { code: Code.Unauthenticated })
})

test('signing out with a token of another issuer revokes it by its id, whatever text that is', async () => {
  const tokenId = 'id with spaces\nand 9999999999'
  const caller = {
    ...administrator,
    subject: { sub: 'u1', groups: [] },
    issuer: 'https://i.example.com',
    tokenId,
  }
  await using fixture = await openSignInFixture({ verifyForeignToken: async () => caller })
  const token = new UnsecuredJWT({ iss: 'https://i.example.com' }).encode()
  await fixture.sessions.delete({}, withToken(token))
  assert.equal(isRevoked(fixture.signIn.objects, tokenId), true)
  assert.equal(isRevoked(fixture.signIn.objects, 'and'), false)
})

test("the operator's token cannot be signed out, and is reported so", async () => {
  await using fixture = await openSignInFixture()
  await assert.rejects(fixture.sessions.delete({}, withToken(operatorToken)), {
    code: Code.FailedPrecondition,
  })
  assert.equal(await fixture.whoAmI({ token: operatorToken }), 'admin')
})

test('POST /auth/logout ends the session of a cookie or a bearer token and clears the cookies', async () => {
  await using fixture = await openSignInFixture()
  const logout = (headers: Record<string, string>, method = 'POST') =>
    fetch(`${fixture.address}/auth/logout`, { method, headers })
  const ways: ((token: string) => Record<string, string>)[] = [
    (token) => ({
      cookie: `argocd.token=2:${token.slice(0, 9)}; argocd.token-1=${token.slice(9)}; theme=dark`,
      'sec-fetch-site': 'same-origin',
    }),
    (token) => ({ authorization: `Bearer ${token}` }),
  ]
  for (const way of ways) {
    const token = await fixture.sessionOf('admin')
    const response = await logout(way(token))
    assert.equal(response.status, 200)
    const cookies = response.headers.getSetCookie()
    assert.ok(cookies.includes('argocd.token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'))
    assert.equal(
      cookies.some((cookie) => cookie.startsWith('argocd.token-1=;')),
      'cookie' in way(token),
    )
    assert.ok(!cookies.some((cookie) => cookie.startsWith('theme')))
    await assert.rejects(fixture.whoAmI({ token }), signedOut)
    assert.equal((await logout(way(token))).status, 200)
  }
  assert.equal((await logout({})).status, 200)
  assert.equal((await logout({ authorization: 'Bearer nonsense' })).status, 200)
  assert.equal((await logout({ authorization: `Bearer ${operatorToken}` })).status, 200)
  const token = await fixture.sessionOf('admin')
  assert.equal((await logout({ authorization: `Bearer ${token}` }, 'GET')).status, 404)
  assert.equal(await fixture.whoAmI({ token }), 'admin')
})

test('a sign-out over HTTP leaves a line in the audit log, and one of nobody leaves none', async () => {
  await using fixture = await openSignInFixture()
  const { address, gateway } = fixture
  const token = await fixture.sessionOf('admin')
  const audits = () =>
    gateway.lines.filter((line) => line.includes('"audit"')).map((line) => JSON.parse(line).audit)
  for (const authorization of ['Bearer nonsense', `Bearer ${token}`, `Bearer ${token}`]) {
    await fetch(`${address}/auth/logout`, { method: 'POST', headers: { authorization } })
  }
  const [line, ...others] = audits()
  assert.equal(others.length, 0)
  const { user, method, address: from, allowed, code } = line
  assert.deepEqual(
    [user, method, from, allowed, code],
    ['admin', 'session.SessionService/Delete', '127.0.0.1', true, 'ok'],
  )
  assert.ok(!JSON.stringify(line).includes(token))
})

test('every gateway learns of a sign-out, and those that ended at once are all kept', async () => {
  await using gateway = await openGatewayFixture()
  const { store, signIn } = gateway.context
  await using other = await followSignInObjects(store)
  const ids = Array.from({ length: 10 }, (_, index) => `session-${index}`)
  await Promise.all(
    ids.map((id, index) => revokeSession(index % 2 === 0 ? signIn.objects : other, id, 100, 50)),
  )
  for (const objects of [signIn.objects, other]) {
    await until(() => ids.every((id) => isRevoked(objects, id)))
    assert.equal(isRevoked(objects, 'session'), false)
  }
})

test('sign-outs are forgotten when their tokens have expired, and none is forgotten to make room', async () => {
  await using gateway = await openGatewayFixture()
  const { objects } = gateway.context.signIn
  await revokeSession(objects, 's0', 60, 50)
  await revokeSession(objects, 's1', 100, 50)
  const others = Array.from({ length: 9_998 }, (_, index) => `other${index} 100\n`)
  await objects.changeSecret(revokedTokensSecret, (texts) => {
    texts.set('tokens', [texts.get('tokens') ?? '', ...others].join(''))
  })
  await assert.rejects(revokeSession(objects, 'new', 100, 50), { name: 'ResourceExhaustedError' })
  assert.equal(isRevoked(objects, 's0'), true)
  await revokeSession(objects, 'new', 100, 61)
  assert.equal(isRevoked(objects, 's0'), false)
  assert.equal(isRevoked(objects, 's1'), true)
  assert.equal(isRevoked(objects, 'new'), true)
})
