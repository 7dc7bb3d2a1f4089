import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { addApiKey } from '../accounts/api-keys.ts'
import { followSignInObjects, sessionKeysSecret } from '../accounts/sign-in-objects.ts'
import { openGatewayFixture } from '../gateway-fixture.ts'
import { renewKeys, sessionKeys, signingKey } from './key-ring.ts'
import { openSignInFixture } from './sign-in-fixture.ts'
import { signListedToken } from './sign-in.ts'

const day = 24 * 3600

test('gateways that start together agree on one key', async () => {
  await using gateway = await openGatewayFixture()
  const { store } = gateway.context
  const followers = await Promise.all(Array.from({ length: 6 }, () => followSignInObjects(store)))
  await Promise.all(followers.map((objects) => renewKeys(objects, 1_000)))
  const first = followers.map((objects) => sessionKeys(objects).map(({ kid }) => kid))
  assert.equal(first[0]?.length, 1)
  assert.equal(new Set(first.map(String)).size, 1)
  const rotated = 1_000 + 30 * day
  await Promise.all(followers.map((objects) => renewKeys(objects, rotated)))
  for (const objects of followers) await until(() => sessionKeys(objects).length === 2)
  assert.equal(new Set(followers.map((objects) => sessionKeys(objects).at(-1)?.kid)).size, 1)
  await Promise.all(followers.map((objects) => objects[Symbol.asyncDispose]()))
})

test('a new key is made after 30 days, is announced for a minute, and nobody is signed out by it', async () => {
  await using fixture = await openSignInFixture()
  const { objects, now } = fixture.signIn
  await renewKeys(objects, now())
  const [first] = sessionKeys(objects)
  fixture.clock.aheadSeconds = 30 * day - 60
  await renewKeys(objects, now())
  assert.equal(sessionKeys(objects).length, 1)
  const token = await fixture.sessionOf('admin')
  fixture.clock.aheadSeconds = 30 * day + 1
  await renewKeys(objects, now())
  const [, second] = sessionKeys(objects)
  assert.equal(signingKey(objects, now())?.kid, first?.kid)
  fixture.clock.aheadSeconds += 60
  assert.equal(signingKey(objects, now())?.kid, second?.kid)
  assert.equal(await fixture.whoAmI({ token }), 'admin')
  assert.equal(await fixture.whoAmI({ token: await fixture.sessionOf('admin') }), 'admin')
})

test('an old key goes when nothing that it signed can live, and stays for a key without expiry', async () => {
  await using fixture = await openSignInFixture()
  const { objects, now } = fixture.signIn
  await fixture.configure({ 'accounts.ci': 'apiKey' })
  const kids = () => sessionKeys(objects).map(({ kid }) => kid)
  const rotations = async (count: number) => {
    for (let index = 0; index < count; index++) {
      fixture.clock.aheadSeconds += 31 * day
      await renewKeys(objects, now())
    }
  }
  await renewKeys(objects, now())
  const [unused] = kids()
  await rotations(1)
  const [, kept] = kids()
  fixture.clock.aheadSeconds += 2 * day
  const issuedAt = Math.floor(now())
  const forever = { id: 'build', issuedAt, expiresAt: 0 }
  const token = await signListedToken(fixture.signIn, {
    ...forever,
    owner: { kind: 'apiKey', account: 'ci' },
  })
  await addApiKey(objects, 'ci', forever)
  await addApiKey(objects, 'ci', { id: 'short', issuedAt: issuedAt - 10 * day, expiresAt: issuedAt + 5 })
  await rotations(3)
  assert.ok(unused !== undefined && kept !== undefined)
  assert.ok(!kids().includes(unused))
  assert.equal(kids()[0], kept)
  assert.equal(kids().length, 3)
  assert.equal(await fixture.whoAmI({ token }), 'ci')
})

test('keys that cannot be read are reported by the name of their Secret alone, and are not overwritten', async () => {
  await using gateway = await openGatewayFixture()
  const { objects } = gateway.context.signIn
  const broken = ['{"kid": "my-secret"', '[]', '{}', '[{"kid":"a","key":"c2hvcnQ","createdAt":1}]', '[null]']
  for (const text of broken) {
    await objects.changeSecret(sessionKeysSecret, (texts) => texts.set('keys', text))
    await assert.rejects(renewKeys(objects, 1), {
      name: 'FailedPreconditionError',
      message:
        'Secret wadi-session-keys cannot be read; remove it to have a new key made, which signs everybody out',
    })
    assert.equal(objects.secret(sessionKeysSecret).get('keys'), text)
  }
})
