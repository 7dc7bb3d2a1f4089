import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { changeContextFile, readContextFile, writeContext } from '../connection/context-file.ts'
import { withContext } from '../connection/context-file-content.ts'
import { connectToServer } from '../connection/server-connection.ts'
import { startMeshFixture } from '../testing/mesh-fixture.ts'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { callToken } from './call-token.ts'
import { tokenClaims } from './token-claims.ts'

/** A token that says what is given; nobody would take it. */
function token(claims: Record<string, unknown>): string {
  const parts = [{ alg: 'none' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [...parts, 'c2ln'].join('.')
}

test('a session that is used is renewed before its token expires, and one that is given is left alone', async () => {
  await using mesh = await startMeshFixture({ WADI_SESSION_TOKEN_LIFETIME: '2s' })
  const { stdout: password } = await mesh.wadi(['admin', 'initial-password', '--data', mesh.dataDirectory])
  const flags = { server: mesh.server, config: mesh.contextFile, httpRetryMax: 0, loglevel: 'info' } as const
  const nobody = await connectToServer(flags, {}, 'sessions')
  const signIn = async () => {
    const { token: first } = await nobody.sessions.create({ username: 'admin', password: password.trimEnd() })
    await writeContext(
      { name: 'mesh', server: mesh.server, token: first, plaintext: true, current: true },
      mesh.contextFile,
    )
    return first
  }
  const kept = async () => (await readContextFile(mesh.contextFile)).contexts[0]?.token ?? ''

  const first = await signIn()
  const user = await connectToServer(flags, {}, 'accounts', 'clusters', 'projects')
  const given = await connectToServer({ ...flags, authToken: first }, {}, 'projects')
  const expiry = (tokenClaims(first)?.expiresAt ?? 0) * 1_000
  while ((await kept()) === first) {
    assert.ok(Date.now() < expiry, 'the token expired before it was renewed')
    await given.projects.listProjects({})
    assert.equal(await kept(), first)
    await Promise.all([user.projects.listProjects({}), user.clusters.listClusters({})])
  }
  const second = await kept()
  assert.equal(tokenClaims(second)?.subject, 'admin:login')
  assert.ok((tokenClaims(second)?.expiresAt ?? 0) * 1_000 > expiry)
  assert.equal(await user.token(), second)
  assert.deepEqual(
    (await user.accounts.listAccounts({})).items.map(({ name }) => name),
    ['admin'],
  )
})

test('commands that change the context file at the same time lose nothing of each other', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const names = Array.from({ length: 20 }, (_, index) => `context-${index}`)
  await Promise.all(
    names.map((name) =>
      writeContext({ name, server: `${name}:1`, token: name, plaintext: false, current: false }, path),
    ),
  )
  const { contexts } = await readContextFile(path)
  assert.deepEqual(contexts.map(({ name }) => name).toSorted(), names.toSorted())
})

test('a renewed token does not replace that of a sign-in which happened meanwhile, nor one that is not a token', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const [old, renewed, newer] = ['old', 'renewed', 'newer'].map((sub) => token({ iss: 'argocd', sub }))
  assert.ok(old && renewed && newer)
  const context = { name: 'a', server: 'a:1', token: old, plaintext: false, current: true }
  await writeContext(context, path)
  const kept = { path, context: 'a', refreshToken: '' }
  const stored = async () => (await readContextFile(path)).contexts[0]?.token

  await callToken({ token: old, kept }).renew(old, 'x\ny')
  assert.equal(await stored(), old)
  const call = callToken({ token: old, kept })
  await changeContextFile(path, (file) => {
    const [known] = file.contexts
    return known && withContext(file, { ...known, token: newer })
  })
  await call.renew(old, renewed)
  assert.equal(await stored(), newer)
  assert.equal(await call.current(), renewed)
})

test('an expired token whose provider is unreachable fails with the way out, and the context stays as it is', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const expired = token({ iss: 'http://127.0.0.1:1', sub: 'ada', aud: 'wadi', exp: 1 })
  const context = { name: 'a', server: '127.0.0.1:1', token: expired, plaintext: true, current: true }
  await writeContext({ ...context, refreshToken: 'secret' }, path)
  const before = await readFile(path, 'utf8')
  const flags = { config: path, httpRetryMax: 0, loglevel: 'info' } as const
  const { projects } = await connectToServer(flags, {}, 'projects')
  const error = await projects.listProjects({}).catch((reason: unknown) => ConnectError.from(reason))
  assert.ok(error instanceof ConnectError)
  assert.notEqual(error.code, Code.Unavailable)
  assert.match(String(error.cause), /the OpenID provider at http:\/\/127\.0\.0\.1:1 cannot be used/)
  assert.equal(await readFile(path, 'utf8'), before)
})
