import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { SettingsService } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { VersionService as ArgocdVersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { SignJWT } from 'jose'
import { openSignInFixture, operatorToken, withToken } from '../sessions/sign-in-fixture.ts'
import { renewTokenHeader } from './authenticate.ts'
import { administrator } from './caller.ts'

test('the same token is taken from metadata, bearer and cookie', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  const [one, other] = [token.slice(0, 100), token.slice(100)]
  const ways: Record<string, string>[] = [
    { token },
    { authorization: `Bearer ${token}` },
    { cookie: `argocd.token=${token}`, 'sec-fetch-site': 'same-origin' },
    { cookie: `argocd.token-0=${one}; argocd.token-1=${other}`, origin: fixture.address },
  ]
  for (const headers of ways) assert.equal(await fixture.whoAmI(headers), 'admin')
})

test("the operator's token is the administrator's, and no part or likeness of it is", async () => {
  await using fixture = await openSignInFixture()
  assert.equal(await fixture.whoAmI({ authorization: `Bearer ${operatorToken}` }), 'admin')
  for (const token of [operatorToken.slice(0, -1), `${operatorToken}x`, operatorToken.toUpperCase(), 'x']) {
    await assert.rejects(fixture.whoAmI({ token }), {
      code: Code.Unauthenticated,
      rawMessage: 'invalid session: the token is not valid here',
    })
  }
  assert.ok(!fixture.gateway.lines.join('').includes(operatorToken.slice(0, -1)))
})

test('a call without a token is refused, and a wrong token is not outweighed by a right one behind it', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  await assert.rejects(fixture.whoAmI({}), {
    code: Code.Unauthenticated,
    rawMessage: 'no session information',
  })
  await assert.rejects(fixture.whoAmI({ token: '', authorization: 'Basic YTpi' }), {
    rawMessage: 'no session information',
  })
  await assert.rejects(fixture.whoAmI({ token: 'wrong', authorization: `Bearer ${token}` }), {
    code: Code.Unauthenticated,
  })
})

test('open methods take an expired and a wrong token as none', async () => {
  await using fixture = await openSignInFixture()
  const version = fixture.client(ArgocdVersionService)
  const token = await fixture.sessionOf('admin')
  assert.notEqual((await version.version({}, withToken(token))).Platform, '')
  fixture.clock.aheadSeconds = 3700
  for (const given of [token, 'wrong', '']) {
    const answer = await version.version({}, withToken(given))
    assert.match(answer.Version, /^v\d+\.\d+\.\d+\+wadi$/)
    assert.equal(answer.Platform, '')
  }
  const settings = await fixture.client(SettingsService).get({}, withToken(token))
  assert.deepEqual([settings.controllerNamespace, settings.hydratorEnabled], ['argocd', true])
  await assert.rejects(fixture.whoAmI({ token }), {
    code: Code.Unauthenticated,
    rawMessage: 'invalid session: the token has expired; sign in again',
  })
})

test('if anonymous calls are allowed, a call without a token is anonymous, and an invalid token is still an error', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({ 'users.anonymous.enabled': 'true' })
  assert.equal(await fixture.whoAmI({}), '')
  await assert.rejects(fixture.whoAmI({ token: 'wrong' }), { code: Code.Unauthenticated })
  assert.equal((await fixture.sessions.getUserInfo({})).loggedIn, false)
  assert.equal((await fixture.client(ArgocdVersionService).version({})).Platform, '')
  await fixture.configure({})
  await assert.rejects(fixture.whoAmI({}), { code: Code.Unauthenticated })
})

test('a token of another issuer goes to the verifier for those, and is refused without one', async () => {
  const foreign = await new SignJWT({ sub: 'u1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://issuer.example.com')
    .sign(Buffer.alloc(32))
  {
    await using fixture = await openSignInFixture()
    await assert.rejects(fixture.whoAmI({ token: foreign }), {
      code: Code.Unauthenticated,
      rawMessage: 'invalid session: the issuer of the token is not trusted here',
    })
  }
  await using fixture = await openSignInFixture({
    verifyForeignToken: async (token, issuer) => {
      if (token !== foreign) throw new UnauthenticatedError('invalid session: unknown')
      return { ...administrator, subject: { sub: 'u1', groups: [] }, issuer }
    },
  })
  assert.equal(await fixture.whoAmI({ token: foreign }), 'u1')
  const info = await fixture.sessions.getUserInfo({}, withToken(foreign))
  assert.equal(info.iss, 'https://issuer.example.com')
})

test('a session is renewed in the second half of each token until it is as old as it may become', async () => {
  await using fixture = await openSignInFixture()
  await fixture.configure({ 'users.session.duration': '2h' })
  let token = await fixture.sessionOf('admin')
  const renewed = async () => {
    let next: string | null = null
    await fixture.client(VersionService).getVersion(
      {},
      {
        ...withToken(token),
        onHeader: (headers) => {
          next = headers.get(renewTokenHeader)
        },
      },
    )
    return next
  }
  const at: [number, boolean][] = [
    [60, false],
    [1790, false],
    [1810, true],
    [3600, false],
    [5400, true],
    [7000, false],
  ]
  for (const [seconds, isRenewed] of at) {
    fixture.clock.aheadSeconds = seconds
    const next = await renewed()
    assert.equal(next !== null, isRenewed, `after ${seconds} s`)
    token = next ?? token
  }
  fixture.clock.aheadSeconds = 7210
  await assert.rejects(renewed(), (error) => {
    assert.ok(error instanceof ConnectError)
    return error.rawMessage === 'invalid session: the token has expired; sign in again'
  })
})

test('a shorter duration of sessions also ends those that began before', async () => {
  await using fixture = await openSignInFixture()
  const token = await fixture.sessionOf('admin')
  fixture.clock.aheadSeconds = 700
  assert.equal(await fixture.whoAmI({ token }), 'admin')
  await fixture.configure({ 'users.session.duration': '10m' })
  await assert.rejects(fixture.whoAmI({ token }), {
    rawMessage: 'invalid session: the session is over; sign in again',
  })
})
