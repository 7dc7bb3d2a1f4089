import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followRedirects } from '@wadi/testing/openid-browser.ts'
import { type OpenIdProvider, startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import { until } from '@wadi/testing/until.ts'
import { openSignInFixture, type SignInFixture } from '../sessions/sign-in-fixture.ts'

const users = { ann: { email: 'ann@example.com', groups: ['platform'] }, admin: {} }
const methods = 'wadi.api_gateway.v1.SignInService/GetSignInMethods'

/** A server that takes the users of a provider. */
async function openWith(
  provider: OpenIdProvider,
  fields: Record<string, unknown> = {},
): Promise<SignInFixture> {
  const fixture = await openSignInFixture()
  const config = { name: 'Local', issuer: provider.issuer, clientID: provider.clientID, ...fields }
  await fixture.configure({ 'oidc.config': JSON.stringify(config) })
  return fixture
}

/** Begins a sign-in: where the browser is sent, and the cookie that it keeps. */
async function begin({ address }: SignInFixture, returnUrl = '/applications?phase=Failed') {
  const response = await fetch(`${address}/auth/login?return_url=${encodeURIComponent(returnUrl)}`, {
    redirect: 'manual',
  })
  const [setCookie = ''] = response.headers.getSetCookie()
  return { response, setCookie, cookie: setCookie.split(';')[0] ?? '' }
}

/** Goes to the provider and comes back with a code, to the address that the browser would call. */
function atProvider({ address }: SignInFixture, response: Response): Promise<URL> {
  return followRedirects(response.headers.get('location') ?? '', `${address}/auth/callback`)
}

function comeBack(callback: URL, cookie: string): Promise<Response> {
  return fetch(callback, { redirect: 'manual', headers: { cookie, 'sec-fetch-site': 'cross-site' } })
}

test('a user signs in at the provider and is sent back to the page, with the token in a cookie', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider)
  const { response, setCookie, cookie } = await begin(fixture)
  assert.equal(response.status, 303)
  assert.match(setCookie, /^wadi\.sign-in=[\w-]+; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax$/)
  const asked = new URL(response.headers.get('location') ?? '').searchParams
  assert.equal(asked.get('code_challenge_method'), 'S256')
  assert.ok((asked.get('state') ?? '').length >= 43 && (asked.get('nonce') ?? '').length >= 43)
  const back = await comeBack(await atProvider(fixture, response), cookie)
  assert.deepEqual([back.status, back.headers.get('location')], [303, '/applications?phase=Failed'])
  const [cleared, token = ''] = back.headers.getSetCookie()
  assert.match(cleared ?? '', /^wadi\.sign-in=; Path=\/auth; Max-Age=0/)
  assert.match(token, /^argocd\.token=ey[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
  const headers = { cookie: token.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
  assert.equal(await fixture.whoAmI(headers), 'ann')
  await until(() =>
    fixture.gateway.lines.some(
      (line) => line.includes('SessionService/Create') && line.includes('ann@example.com'),
    ),
  )
})

test('a code without the sign-in of the same browser is refused', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider)
  const mine = await begin(fixture)
  const callback = await atProvider(fixture, mine.response)
  const other = await begin(fixture)
  const altered = `wadi.sign-in=${Buffer.from('{"state":"x"}').toString('base64url')}`
  for (const cookie of ['', 'wadi.sign-in=nonsense', altered, other.cookie]) {
    const refused = await comeBack(callback, cookie)
    assert.equal(refused.status, 401, cookie)
    assert.ok(refused.headers.getSetCookie().every((line) => !line.startsWith('argocd.token')))
  }
  assert.equal((await comeBack(callback, mine.cookie)).status, 303)
  assert.equal((await comeBack(callback, mine.cookie)).status, 401, 'a code is good for once')
})

test('a token with the nonce of another sign-in is refused', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider)
  const { response, cookie } = await begin(fixture)
  const pending = JSON.parse(
    Buffer.from(cookie.slice('wadi.sign-in='.length), 'base64url').toString(),
  ) as object
  const value = Buffer.from(JSON.stringify({ ...pending, nonce: 'another' })).toString('base64url')
  const back = await comeBack(await atProvider(fixture, response), `wadi.sign-in=${value}`)
  assert.equal(back.status, 401)
})

test('a user whose name means somebody else here is refused in words', async () => {
  await using provider = await startOpenIdProvider({ users })
  provider.signInAs('admin')
  await using fixture = await openWith(provider)
  const { response, cookie } = await begin(fixture)
  const back = await comeBack(await atProvider(fixture, response), cookie)
  assert.equal(back.status, 401)
  assert.match(await back.text(), /the provider's name "admin" means somebody else here/)
})

test('nobody is led to another server', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider)
  for (const address of [
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    '/.//evil.example.com',
  ]) {
    const { response, cookie } = await begin(fixture, address)
    const location =
      (await comeBack(await atProvider(fixture, response), cookie)).headers.get('location') ?? ''
    assert.ok(location === '/' || location === '/evil.example.com', location)
  }
})

test('everybody sees the ways to sign in, and no secret with them', async () => {
  await using provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider, { clientSecret: 'hidden' })
  const ask = async () => {
    const response = await fetch(`${fixture.address}/${methods}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    return response.json()
  }
  assert.deepEqual(await ask(), { providerName: 'Local', providerPath: '/auth/login' })
  await fixture.setPassword('admin', '$2a$10$abcdefghijklmnopqrstuv')
  await fixture.configure({ 'users.anonymous.enabled': 'true' })
  assert.deepEqual(await ask(), { password: true, anonymous: true })
  assert.equal((await begin(fixture)).response.status, 404)
})

test('a client secret that is missing and a provider that is away are reported', async () => {
  const provider = await startOpenIdProvider({ users })
  await using fixture = await openWith(provider, { clientSecret: '$oidc.secret' })
  const missing = (await begin(fixture)).response
  assert.equal(missing.status, 503)
  assert.match(
    await missing.text(),
    /clientSecret names the key "oidc.secret", which Secret argocd-secret does not have/,
  )
  await fixture.signIn.objects.changeSecret('argocd-secret', (texts) => texts.set('oidc.secret', 'x'))
  await provider[Symbol.asyncDispose]()
  const away = (await begin(fixture)).response
  assert.equal(away.status, 503)
  assert.match(await away.text(), /the OpenID provider at http:\/\/127\.0\.0\.1:\d+ cannot be used/)
})
