import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from 'bcryptjs'
import { openSignInFixture, type SignInFixture } from './sign-in-fixture.ts'

const password = 'correct horse battery'
const ours = { 'sec-fetch-site': 'same-origin' }

type Headers = Record<string, string>

/** Calls an RPC as a page does: JSON by POST, or by GET for one without side effects. */
async function call(
  { address }: SignInFixture,
  method: string,
  { headers = {}, body, isGet = false }: { headers?: Headers; body?: object; isGet?: boolean } = {},
) {
  const query = `?connect=v1&encoding=json&message=${encodeURIComponent('{}')}`
  const response = await fetch(`${address}/${method}${isGet ? query : ''}`, {
    method: isGet ? 'GET' : 'POST',
    headers: { ...(isGet ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(isGet ? {} : { body: JSON.stringify(body ?? {}) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  return { status: response.status, answer, setCookies: response.headers.getSetCookie(), response }
}

function signIn(fixture: SignInFixture, headers: Headers = { 'wadi-session': 'cookie', ...ours }) {
  return call(fixture, 'session.SessionService/Create', { headers, body: { username: 'admin', password } })
}

async function openWithPassword(): Promise<SignInFixture> {
  const fixture = await openSignInFixture()
  await fixture.setPassword('admin', await hash(password, 4))
  return fixture
}

const session = 'wadi.api_gateway.v1.SignInService/GetSession'
const version = 'wadi.api_gateway.v1.VersionService/GetVersion'

function cookieOf(setCookies: readonly string[]): string {
  return setCookies.map((line) => line.split(';')[0]).join('; ')
}

test('a page that asks for it gets the token as a cookie that no script reads, and calls go with it alone', async () => {
  await using fixture = await openWithPassword()
  const { status, answer, setCookies } = await signIn(fixture)
  assert.deepEqual([status, answer], [200, {}])
  assert.match(
    setCookies.join('\n'),
    /^argocd\.token=[\w.-]+; Path=\/; Max-Age=3[56]\d\d; HttpOnly; SameSite=Strict$/,
  )
  const cookie = cookieOf(setCookies)
  const shown = await call(fixture, session, { headers: { cookie, ...ours }, isGet: true })
  assert.partialDeepStrictEqual(shown.answer, { signedIn: true, username: 'admin', issuer: 'argocd' })
  const { tokenExpiresAt, endsAt } = shown.answer as { tokenExpiresAt: string; endsAt: string }
  const [tokenMs, endMs] = [Date.parse(tokenExpiresAt) - Date.now(), Date.parse(endsAt) - Date.now()]
  assert.ok(tokenMs > 3_500_000 && tokenMs <= 3_600_000 && endMs > 86_000_000 && endMs <= 86_400_000)
  assert.deepEqual((await call(fixture, version, { headers: { cookie, ...ours } })).answer, {
    version: 'admin',
  })
})

test('whoever does not ask for a cookie gets the token, and none is set', async () => {
  await using fixture = await openWithPassword()
  const { answer, setCookies } = await signIn(fixture, {})
  assert.match(String(answer['token']), /^ey/)
  assert.deepEqual(setCookies, [])
})

test('over TLS, of a proxy or by the address for users, the cookie is for TLS alone', async () => {
  await using fixture = await openWithPassword()
  const wanted = { 'wadi-session': 'cookie', ...ours }
  const proxied = await signIn(fixture, { ...wanted, 'x-forwarded-proto': 'https' })
  assert.match(proxied.setCookies[0] ?? '', /; Secure$/)
  await fixture.configure({ url: 'https://wadi.example.com' })
  assert.match((await signIn(fixture, wanted)).setCookies[0] ?? '', /; Secure$/)
})

const foreign: [string, Headers][] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of a sibling host', { 'sec-fetch-site': 'same-site' }],
  ['a link that somebody followed', { 'sec-fetch-site': 'none' }],
  ['an old browser on another page', { origin: 'https://evil.example.com' }],
  ['a browser that says nothing', {}],
]
for (const [name, headers] of foreign) {
  test(`a cookie proves nothing in a call of ${name}, by POST or GET`, async () => {
    await using fixture = await openWithPassword()
    const { setCookies } = await signIn(fixture)
    const cookie = cookieOf(setCookies)
    for (const isGet of [false, true]) {
      // GetVersion of the fixture needs a caller; GetSession is open and takes the caller as nobody.
      const answered = await call(fixture, session, { headers: { cookie, ...headers }, isGet })
      assert.deepEqual([answered.status, answered.answer], [200, {}])
    }
    const refused = await call(fixture, version, { headers: { cookie, ...headers } })
    assert.equal(refused.status, 401)
    assert.match(String(refused.answer['message']), /only from pages of this server/)
    const ended = await call(fixture, 'session.SessionService/Delete', { headers: { cookie, ...headers } })
    assert.equal(ended.status, 200)
    const logout = await fetch(`${fixture.address}/auth/logout`, {
      method: 'POST',
      headers: { cookie, ...headers },
    })
    assert.deepEqual([logout.status, logout.headers.getSetCookie()], [403, []])
    const still = await call(fixture, version, { headers: { cookie, ...ours } })
    assert.equal(still.status, 200, 'nobody was signed out')
    const planted = await signIn(fixture, { 'wadi-session': 'cookie', ...headers })
    assert.deepEqual([planted.status, planted.setCookies], [403, []])
  })
}

test('a token in a header counts wherever the call comes from, also beside a cookie', async () => {
  await using fixture = await openWithPassword()
  const token = await fixture.sessionOf('admin')
  const headers = {
    authorization: `Bearer ${token}`,
    cookie: 'argocd.token=x',
    'sec-fetch-site': 'cross-site',
  }
  assert.equal((await call(fixture, version, { headers })).status, 200)
})

test('the cookie is renewed by itself in the second half of its time', async () => {
  await using fixture = await openWithPassword()
  const cookie = cookieOf((await signIn(fixture)).setCookies)
  fixture.clock.aheadSeconds = 1_900
  const { setCookies, response } = await call(fixture, version, { headers: { cookie, ...ours } })
  assert.match(setCookies[0] ?? '', /^argocd\.token=ey.*; HttpOnly; SameSite=Strict$/)
  assert.equal(response.headers.get('renew-token'), null, 'no script reads it')
  fixture.clock.aheadSeconds = 3_700
  const renewed = { headers: { cookie: cookieOf(setCookies), ...ours } }
  assert.equal((await call(fixture, version, renewed)).status, 200)
  assert.equal((await call(fixture, version, { headers: { cookie, ...ours } })).status, 401)
})

test('signing out ends the session and removes the cookie', async () => {
  await using fixture = await openWithPassword()
  const cookie = cookieOf((await signIn(fixture)).setCookies)
  const { status, setCookies } = await call(fixture, 'session.SessionService/Delete', {
    headers: { cookie, ...ours },
  })
  assert.equal(status, 200)
  assert.deepEqual(setCookies, ['argocd.token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  assert.equal((await call(fixture, version, { headers: { cookie, ...ours } })).status, 401)
})

test('another wish for the session is refused', async () => {
  await using fixture = await openWithPassword()
  const { status, answer } = await signIn(fixture, { 'wadi-session': 'page', ...ours })
  assert.equal(status, 400)
  assert.match(String(answer['message']), /wadi-session is "page"; expected cookie/)
})
