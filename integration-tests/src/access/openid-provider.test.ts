import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usedByFile } from '@wadi/testing/used-by-file.ts'
import { idTokenOf } from '@wadi/api-gateway/oidc/provider-sign-in-fixture.ts'
import { startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import {
  applicationNames,
  eventually,
  namesGenerator,
  authorIn,
  rejectionOf,
  setObject,
} from '../application-sets/set-fixture.ts'
import type { Protocol } from '../gateway-fixture.ts'
import { usersMeshOfFile } from './users-fixture.ts'

const protocols: Protocol[] = ['Connect', 'gRPC']

const mesh = await usersMeshOfFile()
const provider = await usedByFile(
  startOpenIdProvider({
    users: {
      pia: { email: 'pia@example.com', groups: ['platform', 'role:admin'] },
      guest: { email: 'guest@example.com', groups: [] },
      ann: { groups: ['platform'] },
    },
  }),
)
const { issuer, clientID } = provider
await mesh.applySettings({ 'oidc.config': JSON.stringify({ name: 'Local', issuer, clientID }) })
await mesh.applyPolicy('g, platform, role:web')
await mesh.admin.applicationSets.applyApplicationSet({
  applicationSet: setObject({ generators: [namesGenerator('web-1')] }),
})

/** Returns the code of a listing with a token, over each protocol; undefined for one that is answered. */
function outcomesOf(token: string): Promise<(string | undefined)[]> {
  return Promise.all(
    protocols.map((protocol) => rejectionOf(mesh.connect(token, protocol).applications.listApplications({}))),
  )
}

test('the groups that the provider names give their rights, also to sets, and names of roles give none', async () => {
  const token = await idTokenOf(provider, 'pia')
  for (const protocol of protocols) {
    const pia = mesh.connect(token, protocol)
    const { username, groups, iss } = await pia.sessions.getUserInfo({})
    assert.deepEqual([username, groups, iss], ['pia@example.com', ['platform'], provider.issuer])
    assert.deepEqual(await applicationNames(pia), ['web-1'])
  }
  const pia = mesh.connect(token)
  const generators = [namesGenerator('web-2')]
  const own = setObject({ name: 'of-pia', generators })
  const { applicationSet } = await pia.applicationSets.applyApplicationSet({ applicationSet: own })
  assert.deepEqual(authorIn(applicationSet), {
    subject: 'pia',
    groups: ['platform'],
    projects: ['web'],
    generation: 1,
  })
  const foreign = setObject({ name: 'out', generators: [namesGenerator('api-1')], project: 'api' })
  assert.equal(
    await rejectionOf(pia.applicationSets.applyApplicationSet({ applicationSet: foreign })),
    'PermissionDenied: permission denied: 1 of 1 Applications of the set, sub: pia',
  )
})

test('a user of the provider without groups has no rights', async () => {
  const guest = mesh.connect(await idTokenOf(provider, 'guest'))
  assert.deepEqual(await applicationNames(guest), [])
  assert.match((await rejectionOf(guest.applications.getApplication({ name: 'web-1' }))) ?? '', /^NotFound/)
})

test('a user of the provider does not become the local account of that name', async () => {
  for (const outcome of await outcomesOf(await idTokenOf(provider, 'ann'))) {
    assert.match(outcome ?? '', /^Unauthenticated: .*"ann" means somebody else here$/)
  }
})

test('the provider may sign with another key, and who signs out is out', async () => {
  assert.deepEqual(await outcomesOf(await idTokenOf(provider, 'pia')), [undefined, undefined])
  await provider.changeKey()
  const token = await idTokenOf(provider, 'pia')
  assert.deepEqual(await outcomesOf(token), [undefined, undefined])
  await mesh.connect(token).sessions.delete({})
  for (const outcome of await outcomesOf(token)) assert.match(outcome ?? '', /signed out/)
})

test('a token of another client, of another provider, expired or with another key is refused', async () => {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: 'pia', groups: ['platform'], iat: now, exp: now + 60 }
  assert.deepEqual(await outcomesOf(provider.sign(claims)), [undefined, undefined])
  await using anonymous = await startOpenIdProvider({ users: { pia: { groups: ['platform'] } } })
  const refused: [string, RegExp][] = [
    [provider.sign({ ...claims, aud: 'another-client' }), /"aud"/],
    [provider.sign({ ...claims, iat: now - 600, exp: now - 300 }), /expired \d+ s ago/],
    [anonymous.sign(claims), /issuer of the token is not trusted here$/],
    [anonymous.sign({ ...claims, iss: provider.issuer }), /^Unauthenticated: /],
  ]
  for (const [token, reason] of refused) {
    for (const outcome of await outcomesOf(token)) {
      assert.match(outcome ?? 'answered', /^Unauthenticated: /)
      assert.match(outcome ?? 'answered', reason)
    }
  }
})

test('without the provider in the settings its tokens are no longer valid', async () => {
  const token = await idTokenOf(provider, 'guest')
  assert.deepEqual(await outcomesOf(token), [undefined, undefined])
  await mesh.applySettings({})
  await eventually(
    () => mesh.connect(token).applications.listApplications({}),
    'Unauthenticated: invalid session: the issuer of the token is not trusted here',
  )
})
