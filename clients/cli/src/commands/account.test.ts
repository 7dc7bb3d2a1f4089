import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { compare } from 'bcryptjs'
import { startMeshFixture } from '../testing/mesh-fixture.ts'

await using starting = new AsyncDisposableStack()
const mesh = starting.use(await startMeshFixture())
const started = starting.move()
after(() => started.disposeAsync())

const objects = join(mesh.directory, 'objects.yaml')
await writeFile(
  objects,
  `apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-cm, namespace: argocd }
data: { accounts.ci: 'apiKey, login' }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-rbac-cm, namespace: argocd }
data:
  policy.csv: |
    p, ci, applications, create, dev/*, allow
`,
)
assert.equal((await mesh.operate(['apply', '-f', objects])).code, 0)

test('accounts are listed and shown as argocd lays them out', async () => {
  const [list, get, json] = await Promise.all([
    mesh.operate(['account', 'list']),
    mesh.operate(['account', 'get']),
    mesh.operate(['account', 'get', '--account', 'ci', '-o', 'json']),
  ])
  assert.equal(
    list.stdout,
    'NAME   ENABLED  CAPABILITIES\nadmin  true     login\nci     true     apiKey, login\n',
  )
  assert.equal(
    get.stdout,
    'Name:               admin\nEnabled:            true\nCapabilities:       login\n\nTokens:\nNONE\n',
  )
  assert.deepEqual(JSON.parse(json.stdout), {
    name: 'ci',
    enabled: true,
    capabilities: ['apiKey', 'login'],
    tokens: [],
  })
})

test('an API key is printed, does what its account may, is listed, and is no longer valid when deleted', async () => {
  const made = await mesh.operate(['account', 'generate-token', '-a', 'ci', '-e', '7d', '--id', 'pipeline'])
  assert.deepEqual([made.code, made.stderr], [0, ''])
  const environment = { WADI_SERVER: mesh.server, WADI_AUTH_TOKEN: made.stdout.trimEnd() }
  const [yes, no, get] = await Promise.all([
    mesh.wadi(['account', 'can-i', 'create', 'applications', 'dev/web'], { environment }),
    mesh.wadi(['account', 'can-i', 'create', 'applications', 'prod/web'], { environment }),
    mesh.wadi(['account', 'get'], { environment }),
  ])
  assert.deepEqual([yes.stdout, yes.code, no.stdout, no.code], ['yes\n', 0, 'no\n', 0])
  const [, issued = '', expires = ''] = /^pipeline {2}(\S+) {2}(\S+)$/m.exec(get.stdout) ?? []
  assert.equal(Date.parse(expires) - Date.parse(issued), 7 * 24 * 3_600_000)

  const deleted = await mesh.wadi(['account', 'delete-token', 'pipeline'], { environment })
  assert.equal(deleted.stdout, "Token 'pipeline' of account 'ci' deleted\n", deleted.stderr)
  assert.equal((await mesh.wadi(['account', 'list'], { environment })).code, 20)
})

test('the operator gives an account a password, and whoever changes their own one stays signed in', async () => {
  const set = await mesh.operate(['account', 'update-password', '--account', 'ci'], {
    environment: { WADI_NEW_PASSWORD: 'first password' },
  })
  assert.equal(set.stdout, 'Password updated\n', set.stderr)
  const login = await mesh.wadi(['login', mesh.server, '--username', 'ci', '--password-stdin'], {
    input: 'first password',
  })
  assert.equal(login.code, 0, login.stderr)
  const own = await mesh.wadi(['account', 'update-password', '--new-password', 'second password'], {
    environment: { WADI_PASSWORD: 'first password' },
  })
  assert.equal(own.stdout, `Password updated\nContext '${mesh.server}' updated\n`, own.stderr)
  assert.match((await mesh.wadi(['account', 'whoami'])).stdout, /^Username: ci$/m)
})

test('bcrypt hashes what standard input holds, and refuses what it would cut off', async () => {
  const [hashed, long] = await Promise.all([
    mesh.wadi(['account', 'bcrypt', '--password-stdin'], { input: 'a password\n' }),
    mesh.wadi(['account', 'bcrypt', '--password', 'x'.repeat(73)]),
  ])
  assert.match(hashed.stdout, /^\$2[ab]\$10\$/)
  assert.equal(await compare('a password', hashed.stdout.trimEnd()), true)
  assert.deepEqual([long.code, long.stdout], [20, ''])
})

test('a lifetime that is none is refused with exit code 1', async () => {
  const { code, stderr } = await mesh.wadi(['account', 'generate-token', '-e', 'soon'])
  assert.equal(code, 1)
  assert.match(stderr, /Give a duration like 24h, 7d or 1h30m/)
})
