import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { type OpenIdProvider, startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { followSignInObjects } from '../accounts/sign-in-objects.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { revokeSession } from '../sessions/revoked-sessions.ts'
import { foreignTokens } from './foreign-tokens.ts'
import { idTokenOf } from './provider-sign-in-fixture.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const users = {
  ann: { email: 'ann@example.com', groups: ['platform', 'role:admin', 'proj:dev:ci'] },
  admin: { email: 'intruder@example.com' },
  'role:admin': {},
}

async function verifierFor(
  provider: Pick<OpenIdProvider, 'issuer' | 'clientID'>,
  config: Record<string, unknown> = {},
) {
  const fixture = await openGatewayFixture()
  const text = JSON.stringify({
    name: 'Local',
    issuer: provider.issuer,
    clientID: provider.clientID,
    ...config,
  })
  await fixture.context.store.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: controlPlaneNamespace },
    data: { 'oidc.config': text },
  })
  const objects = await followSignInObjects(fixture.context.store)
  const verify = foreignTokens(objects, fixture.context.policy)
  return {
    objects,
    verify: (token: string) => verify(token, decodeJwt(token).iss ?? '', AbortSignal.timeout(hangLimitMs)),
    async [Symbol.asyncDispose]() {
      await objects[Symbol.asyncDispose]()
      await fixture[Symbol.asyncDispose]()
    },
  }
}

test('a user of the provider is known by sub and groups, and never by names that mean roles here', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const caller = await gateway.verify(await idTokenOf(provider, 'ann'))
  assert.deepEqual(caller.subject, { sub: 'ann', groups: ['platform'] })
  assert.equal(caller.username, 'ann@example.com')
  assert.equal(caller.issuer, provider.issuer)
  assert.ok(caller.expiresAt > Date.now() / 1_000)
})

test('a user of the provider cannot pass for a local account or a role', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  for (const user of ['admin', 'role:admin']) {
    await assert.rejects(gateway.verify(await idTokenOf(provider, user)), {
      name: 'UnauthenticatedError',
      message: `invalid session: the provider's name "${user}" means somebody else here`,
    })
  }
})

test('a token is valid for our clients alone', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider, { clientID: 'another-client' })
  await assert.rejects(gateway.verify(await idTokenOf(provider, 'ann')), {
    name: 'UnauthenticatedError',
    message: /unexpected "aud" claim value/,
  })
  await using listed = await verifierFor(provider, { clientID: 'web', cliClientID: provider.clientID })
  assert.equal((await listed.verify(await idTokenOf(provider, 'ann'))).subject.sub, 'ann')
})

test('tokens signed with no key, with the secret of a client or with a foreign key are refused', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const claims = decodeJwt(await idTokenOf(provider, 'ann'))
  const unsigned = new UnsecuredJWT(claims).encode()
  const shared = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(provider.clientID.padEnd(32)))
  await using anonymous = await startOpenIdProvider({ users })
  const { iss: _iss, ...others } = decodeJwt(await idTokenOf(anonymous, 'ann'))
  assert.equal(others.sub, 'ann')
  for (const token of [unsigned, shared]) {
    await assert.rejects(gateway.verify(token), { name: 'UnauthenticatedError' })
  }
  await assert.rejects(gateway.verify(await idTokenOf(anonymous, 'ann')), {
    message: 'invalid session: the issuer of the token is not trusted here',
  })
})

test('an expired token is refused, and one that does not say when it expires', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const now = Math.floor(Date.now() / 1_000)
  const claims = { sub: 'ann', iat: now - 120 }
  assert.equal((await gateway.verify(provider.sign({ ...claims, exp: now + 60 }))).subject.sub, 'ann')
  await assert.rejects(gateway.verify(provider.sign({ ...claims, exp: now - 60 })), {
    name: 'UnauthenticatedError',
    message: /^invalid session: it expired \d+ s ago by the clock of this machine$/,
  })
  await assert.rejects(gateway.verify(provider.sign(claims)), { name: 'UnauthenticatedError' })
})

test('a provider may change its keys', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  await gateway.verify(await idTokenOf(provider, 'ann'))
  await provider.changeKey()
  assert.equal((await gateway.verify(await idTokenOf(provider, 'ann'))).subject.sub, 'ann')
})

test('a token whose session was signed out is refused', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const token = await idTokenOf(provider, 'ann')
  const { tokenId, expiresAt } = await gateway.verify(token)
  await revokeSession(gateway.objects, tokenId, expiresAt, Date.now() / 1_000)
  await assert.rejects(gateway.verify(token), { message: /signed out/ })
})

test('a provider that does not answer is reported as away, with its address', async () => {
  const gone = await startOpenIdProvider({ users })
  const token = await idTokenOf(gone, 'ann')
  await gone[Symbol.asyncDispose]()
  await using gateway = await verifierFor(gone)
  await assert.rejects(gateway.verify(token), {
    name: 'UnavailableError',
    message: new RegExp(`GET ${gone.issuer}/.well-known/openid-configuration: .*ECONNREFUSED`),
  })
})

test('a signed-out token in another spelling of its signature is refused', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const token = await idTokenOf(provider, 'ann')
  const { tokenId, expiresAt } = await gateway.verify(token)
  await revokeSession(gateway.objects, tokenId, expiresAt, Date.now() / 1_000)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character has bits that mean nothing.
  const respelt = token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) ?? '') ^ 1]
  const signature = (text: string) =>
    Buffer.from(text.slice(text.lastIndexOf('.')), 'base64url').toString('hex')
  assert.equal(signature(respelt), signature(token))
  await assert.rejects(gateway.verify(respelt), { message: /signed out/ })
})

test('a token is refused while the configuration of the provider cannot be read', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider, { clientID: '' })
  await assert.rejects(gateway.verify(await idTokenOf(provider, 'ann')), {
    name: 'UnauthenticatedError',
    message: 'invalid session: the issuer of the token is not trusted here',
  })
})

test('the keys of a provider stay valid while it is unreachable, whatever key an unknown caller names', async () => {
  const provider = await startOpenIdProvider({ users })
  await using gateway = await verifierFor(provider)
  const token = await idTokenOf(provider, 'ann')
  await gateway.verify(token)
  await provider[Symbol.asyncDispose]()
  const claims = decodeJwt(token)
  const { privateKey } = await generateKeyPair('RS256')
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'other' }).sign(privateKey)
  await assert.rejects(gateway.verify(forged), { name: 'UnauthenticatedError' })
  assert.equal((await gateway.verify(token)).subject.sub, 'ann')
})
