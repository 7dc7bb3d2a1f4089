import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { createContextValues } from '@connectrpc/connect'
import type { Interceptor } from '@connectrpc/connect'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { SignJWT, UnsecuredJWT } from 'jose'
import { createTestClient, startTestServer, temporaryDirectory, testKey } from './server-fixture.ts'
import {
  callingServiceKey,
  createServiceIdentity,
  endUserHeader,
  endUserKey,
  loadServiceKey,
} from './service-identity.ts'

const hydrator = createServiceIdentity({ key: testKey, service: 'hydrator' })

function seconds(fromNow: number): number {
  return Math.floor(Date.now() / 1_000) + fromNow
}

function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}, key = testKey) {
  const payload = {
    iss: 'wadi',
    sub: 'hydrator',
    aud: 'repo-server',
    iat: seconds(0),
    nbf: seconds(0),
    exp: seconds(60),
    ...claims,
  }
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'wadi-service+jwt', ...header })
    .sign(key)
}

const refused: Record<string, () => Promise<string> | string> = {
  'no authorization at all': () => '',
  'another scheme': () => 'Basic aHlkcmF0b3I6eA==',
  'a token that is none': () => 'Bearer abc',
  'a token of another key': async () => `Bearer ${await forge({}, {}, randomBytes(32))}`,
  'a token for another service': async () => `Bearer ${await hydrator.token('commit-server')}`,
  'an expired token': async () =>
    `Bearer ${await forge({ iat: seconds(-120), nbf: seconds(-120), exp: seconds(-60) })}`,
  'a token from the future': async () => `Bearer ${await forge({ nbf: seconds(60) })}`,
  'a token that lives too long': async () =>
    `Bearer ${await forge({ iat: seconds(-600), exp: seconds(600) })}`,
  'a token of another issuer': async () => `Bearer ${await forge({ iss: 'argocd' })}`,
  'a token without subject': async () => `Bearer ${await forge({ sub: undefined })}`,
  'another HMAC': async () => `Bearer ${await forge({}, { alg: 'HS512' }, randomBytes(64))}`,
  'an end user token in place of a service token': async () =>
    `Bearer ${await hydrator.signUser({ subject: 'alice', groups: [] })}`,
  'a token with alg none': () =>
    `Bearer ${new UnsecuredJWT({ sub: 'hydrator', aud: 'repo-server', iss: 'wadi' }).setExpirationTime('1m').encode()}`,
}

test('every RPC but Health.Check refuses callers without a valid identity, over TCP and unix sockets', async (t) => {
  await using directory = await temporaryDirectory()
  for (const listen of ['127.0.0.1:0', `unix:${path.join(directory.path, 'rpc.sock')}`]) {
    await using server = await startTestServer({ listen })
    for (const [name, authorization] of Object.entries(refused)) {
      await t.test(`${name} (${listen.split(':')[0]})`, async () => {
        const value = await authorization()
        const withValue: Interceptor = (next) => (request) => {
          request.header.delete('authorization')
          if (value !== '') request.header.set('authorization', value)
          return next(request)
        }
        const identity = { ...hydrator, clientInterceptor: () => withValue }
        await using client = await createTestClient([server.address], { identity })
        await assert.rejects(client.list({}), UnauthenticatedError)
        await assert.rejects(Array.fromAsync(client.watch({})), UnauthenticatedError)
        assert.equal((await client.check({})).status, 1)
      })
    }
    const rejections = server.lines.filter(({ code }) => code === 'unauthenticated')
    assert.equal(rejections.length, 2 * Object.keys(refused).length)
    assert.ok(rejections.every(({ level }) => level === 'info'))
  }
})

test('the body of an unknown caller is not read before the rejection', async () => {
  await using server = await startTestServer({ limits: { maxMessageBytes: 1_000 } })
  const response = await fetch(`${server.address}/grpc.health.v1.Health/List`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(5_000),
  })
  assert.equal(response.status, 401)
  assert.deepEqual(await response.json(), {
    code: 'unauthenticated',
    message: 'the call carries neither a service token nor a client certificate of a service',
  })
})

test('handlers learn the calling service and the signed end user', async () => {
  const seen: unknown[] = []
  await using server = await startTestServer({
    rpcs: {
      list: (_, { values }) => {
        seen.push(values.get(callingServiceKey), values.get(endUserKey))
        return {}
      },
    },
  })
  await using client = await createTestClient([server.address])
  const alice = { subject: 'alice', groups: ['platform'] }
  await client.list({}, { contextValues: createContextValues().set(endUserKey, alice) })
  await client.list({})
  const caller = { service: 'hydrator', proof: 'token' }
  assert.deepEqual(seen, [caller, alice, caller, undefined])
})

test('an end user that is not signed with the key is refused', async () => {
  const anonymous = createServiceIdentity({ key: randomBytes(32), service: 'hydrator' })
  await using server = await startTestServer()
  await using client = await createTestClient([server.address])
  const headers = { [endUserHeader]: await anonymous.signUser({ subject: 'admin', groups: [] }) }
  await assert.rejects(client.list({}, { headers }), UnauthenticatedError)
  await assert.rejects(
    client.list({}, { headers: { [endUserHeader]: await hydrator.token('wadi') } }),
    UnauthenticatedError,
  )
})

test('tokens are reused for one audience and never shared between two', async () => {
  assert.equal(await hydrator.token('repo-server'), await hydrator.token('repo-server'))
  assert.notEqual(await hydrator.token('repo-server'), await hydrator.token('commit-server'))
})

test('processes that start together agree on one key, private to its owner', async () => {
  await using directory = await temporaryDirectory()
  const file = path.join(directory.path, 'keys', 'service.key')
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadServiceKey(file)))
  assert.equal(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size, 1)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(path.dirname(file)), ['service.key'])
})

test('a key that may not be created must be there, and is read from a directory that cannot be written', async () => {
  await using directory = await temporaryDirectory()
  const file = path.join(directory.path, 'secrets', 'service.key')
  await assert.rejects(loadServiceKey(file, false), {
    name: 'FailedPreconditionError',
    message: `${file} does not exist: all pods need the same service key, so none makes its own; mount a Secret with 32 random bytes there (WADI_SERVICE_KEY_FILE)`,
  })
  assert.deepEqual(await readdir(directory.path), [])
  const made = await loadServiceKey(file)
  await chmod(path.dirname(file), 0o500)
  assert.deepEqual(await loadServiceKey(file, false), made)
})

test('a key file that is too short is refused by its name', async () => {
  await using directory = await temporaryDirectory()
  const file = path.join(directory.path, 'short.key')
  await writeFile(file, 'secret')
  await assert.rejects(loadServiceKey(file), { name: 'FailedPreconditionError', message: new RegExp(file) })
})
