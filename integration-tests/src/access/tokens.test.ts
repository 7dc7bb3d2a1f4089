import { projectObject } from '../application-fixture.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { rejectionOf } from '../application-sets/set-fixture.ts'
import type { Protocol } from '../gateway-fixture.ts'
import { usersMeshOfFile } from './users-fixture.ts'

const mesh = await usersMeshOfFile()
for (const project of ['web', 'api']) {
  const policies = [`p, proj:${project}:ci, applications, *, ${project}/*, allow`]
  const roles = [{ name: 'ci', policies }]
  await mesh.admin.resources.applyResource({ resource: projectObject(project, { roles }) })
  await mesh.fixture.apply({ name: `${project}-1`, project, repoURL: 'https://x.test/x', branch: 'b' })
}

const protocols: Protocol[] = ['Connect', 'gRPC']

/** Returns the codes of calls with a token, over each protocol; undefined for one that is answered. */
async function outcomesOf(token: string): Promise<(string | undefined)[]> {
  return Promise.all(
    protocols.map((protocol) => {
      return rejectionOf(mesh.connect(token, protocol).applications.listApplications({}))
    }),
  )
}

async function assertRefused(token: string, reason: RegExp): Promise<void> {
  for (const outcome of await outcomesOf(token)) {
    assert.match(outcome ?? 'answered', reason)
    assert.match(outcome ?? '', /^Unauthenticated: /)
  }
}

const assertTaken = async (token: string) => assert.deepEqual(await outcomesOf(token), [undefined, undefined])

async function projectToken(project: string, expiresIn = 0n) {
  return mesh.admin.projects.createProjectToken({ project, role: 'ci', expiresIn })
}

test('the token of a project is good for that project alone', async () => {
  const { token } = await projectToken('web')
  for (const protocol of protocols) {
    const { applications } = mesh.connect(token, protocol)
    await applications.getApplication({ name: 'web-1' })
    assert.match((await rejectionOf(applications.getApplication({ name: 'api-1' }))) ?? '', /^NotFound/)
    assert.match((await rejectionOf(applications.deleteApplication({ name: 'api-1' }))) ?? '', /^NotFound/)
    assert.equal((await applications.listApplications({})).applications.length, 1)
  }
})

test('the token of a project whose policies name another project is good for its own alone', async () => {
  const roles = [{ name: 'ci', policies: ['p, proj:web:ci, applications, *, api/*, allow'] }]
  const resource = projectObject('web', { roles })
  assert.match(
    (await rejectionOf(mesh.admin.resources.applyResource({ resource }))) ?? '',
    /^InvalidArgument/,
  )
})

test('a token of a project is valid until it is revoked', async () => {
  const { token, id } = await projectToken('web')
  await assertTaken(token)
  await mesh.admin.projects.deleteProjectToken({ project: 'web', role: 'ci', id })
  await assertRefused(token, new RegExp(`token with id ${id}: it was revoked$`))
})

test('a token is valid until it expires', async () => {
  const { token, expiresAt } = await projectToken('web', 2n)
  await assertTaken(token)
  const deadline = Number(expiresAt) * 1000 + 15_000
  while ((await outcomesOf(token)).includes(undefined) && Date.now() < deadline) await pause(100)
  await assertRefused(token, /the token has expired; sign in again$/)
})

test('a token that nobody signed, or that was signed with something else, is refused', async () => {
  const { token } = await projectToken('web')
  const [head = '', body = '', signature = ''] = token.split('.')
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  await assertRefused(`${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`, /signed with HS256$/)
  await assertRefused(`${encoded({ alg: 'none' })}.${body}.${signature}`, /signed with HS256$/)
  const raised = encoded({ ...claims, sub: 'proj:api:ci' })
  await assertRefused(`${head}.${raised}.${signature}`, /the signature is wrong$/)
  await assertRefused(
    `${head}.${encoded({ ...claims, sub: 'admin:login' })}.${signature}`,
    /signature is wrong$/,
  )
  await assertRefused('x'.repeat(40), /the token is not valid here$/)
  await assertTaken(token)
})

test('an API key is valid until it is deleted', async () => {
  const { token } = await mesh.admin.accounts.createToken({ name: 'ann', id: 'key' })
  await assertTaken(token)
  await mesh.admin.accounts.deleteToken({ name: 'ann', id: 'key' })
  await assertRefused(token, /account ann does not have token with id key: it was revoked$/)
})

test('a session is valid until it is signed out, and the other sessions of the account stay valid', async () => {
  const [token, other] = await Promise.all([mesh.signIn('ann'), mesh.signIn('ann')])
  await assertTaken(token)
  await mesh.connect(token).sessions.delete({})
  await assertRefused(token, /the session was signed out; sign in again$/)
  await assertTaken(other)
})

test('a disabled account has no session and no API key, and nobody signs in', async () => {
  const session = await mesh.signIn('bob')
  const { token: key } = await mesh.admin.accounts.createToken({ name: 'bob', id: 'key' })
  await mesh.applySettings({ 'accounts.bob.enabled': 'false' })
  for (const token of [session, key]) await assertRefused(token, /Account bob is disabled$/)
  assert.match((await rejectionOf(mesh.signIn('bob'))) ?? '', /^Unauthenticated: /)
  await mesh.applySettings({})
  for (const token of [session, key]) await assertTaken(token)
})

test('a changed password ends what was signed before, API keys too', async () => {
  const session = await mesh.signIn('bob')
  const { token: key } = await mesh.admin.accounts.createToken({ name: 'bob', id: 'second' })
  const newPassword = 'another password'
  await mesh.admin.accounts.updatePassword({ name: 'bob', newPassword })
  for (const token of [session, key])
    await assertRefused(token, /account password has changed since token issued$/)
  assert.match(
    (await rejectionOf(mesh.signIn('bob'))) ?? '',
    /^Unauthenticated: Invalid username or password$/,
  )
  await assertTaken(await mesh.signIn('bob', newPassword))
})

test('a wrong password and an unknown name get the same message', async () => {
  const wrong = await rejectionOf(mesh.signIn('ann', 'wrong'))
  assert.equal(wrong, 'Unauthenticated: Invalid username or password')
  assert.equal(await rejectionOf(mesh.signIn('nobody', 'wrong')), wrong)
})
