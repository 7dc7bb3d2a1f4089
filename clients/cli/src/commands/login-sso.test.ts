import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import { changeContextFile, readContextFile } from '../connection/context-file.ts'
import { withContext } from '../connection/context-file-content.ts'
import { tokenClaims } from '../sign-in/token-claims.ts'
import { startMeshFixture } from '../testing/mesh-fixture.ts'

const browserModule = import.meta.resolve('@wadi/testing/openid-browser.ts')

await using starting = new AsyncDisposableStack()
const provider = starting.use(
  await startOpenIdProvider({ users: { ada: { email: 'ada@example.com', groups: ['dev', 'ops'] } } }),
)
const mesh = starting.use(await startMeshFixture())
const started = starting.move()
after(() => started.disposeAsync())

const settings = join(mesh.directory, 'argocd-cm.yaml')
await writeFile(
  settings,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd' },
    data: {
      'oidc.config': JSON.stringify({ name: 'Local', issuer: provider.issuer, clientID: provider.clientID }),
    },
  }),
)
assert.equal((await mesh.operate(['apply', '-f', settings])).code, 0)

/** A directory with programs that are called as browsers are, and do what the script says with the address. */
async function browser(name: string, script: string): Promise<Record<string, string>> {
  const directory = join(mesh.directory, name)
  await mkdir(directory)
  for (const program of ['xdg-open', 'open']) {
    const path = join(directory, program)
    await writeFile(path, `#!${process.execPath}\n${script}`)
    await chmod(path, 0o755)
  }
  return { PATH: `${directory}:${process.env['PATH'] ?? ''}` }
}

/** A browser that goes where it is sent, and also to the address that sends it back. */
const goodBrowser = await browser(
  'good',
  `import(${JSON.stringify(browserModule)}).then(async ({ followRedirects }) =>
    fetch(await followRedirects(process.argv[2], 'http://localhost:')))\n`,
)

test('login --sso signs in with a browser, and an expired ID token is refreshed before a call', async () => {
  const login = await mesh.wadi(['login', mesh.server, '--sso', '--sso-port', '0'], {
    environment: goodBrowser,
  })
  assert.equal(login.code, 0, login.stderr)
  assert.match(login.stdout, /'ada@example\.com' logged in successfully\nContext '.*' updated\n$/)
  const contextNow = async () => (await readContextFile(mesh.contextFile)).contexts[0]
  const signedIn = await contextNow()
  assert.ok(signedIn && signedIn.refreshToken !== '')
  const user = await mesh.wadi(['account', 'get-user-info'])
  assert.equal(
    user.stdout,
    `Logged In: true\nUsername: ada@example.com\nIssuer: ${provider.issuer}\nGroups: dev,ops\n`,
  )

  const now = Math.floor(Date.now() / 1_000)
  const expired = provider.sign({ sub: 'ada', iat: now - 7_200, exp: now - 3_600 })
  await changeContextFile(mesh.contextFile, (file) => withContext(file, { ...signedIn, token: expired }))
  const both = await Promise.all([mesh.wadi(['proj', 'list']), mesh.wadi(['proj', 'list'])])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ stderr }) => stderr).join(''),
  )
  const refreshed = tokenClaims((await contextNow())?.token ?? '')
  assert.ok(refreshed && refreshed.expiresAt > now)
  assert.equal(refreshed.subject, 'ada')
})

test('what comes back without the state of the sign-in is waited past', async () => {
  const forger = await browser(
    'forger',
    `import(${JSON.stringify(browserModule)}).then(async ({ followRedirects }) => {
      const back = new URL(process.argv[2]).searchParams.get('redirect_uri')
      const forged = await fetch(back + '?code=stolen&state=guessed')
      if (forged.status !== 400) return
      fetch(await followRedirects(process.argv[2], 'http://localhost:'))
    })\n`,
  )
  const login = await mesh.wadi(['login', mesh.server, '--sso', '--sso-port', '0'], { environment: forger })
  assert.deepEqual([login.code, /logged in successfully/.test(login.stdout)], [0, true], login.stderr)
})

test('an error of the provider is shown, made harmless for the terminal', async () => {
  const refused = await browser(
    'refused',
    `const query = new URL(process.argv[2]).searchParams
    const state = query.get('state')
    const iss = new URL(process.argv[2]).origin
    const answer = new URLSearchParams({ error: 'access_denied', error_description: 'no\\u001b[2J', state, iss })
    fetch(query.get('redirect_uri') + '?' + answer)\n`,
  )
  const login = await mesh.wadi(['login', mesh.server, '--sso', '--sso-port', '0'], { environment: refused })
  assert.equal(login.code, 20)
  assert.match(login.stderr, /rejected the sign-in: access_denied: no\\x1b\[2J/)
})

test("a token that the server does not take is reported with the server's reason", async () => {
  provider.signInAs('admin')
  const login = await mesh.wadi(['login', mesh.server, '--sso', '--sso-port', '0'], {
    environment: goodBrowser,
  })
  provider.signInAs('ada')
  assert.equal(login.code, 20)
  assert.match(login.stderr, /does not accept the token of .*: invalid session: /)
})

test('a port that is taken is reported with the flag for another', async () => {
  await using taken = createServer()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const login = await mesh.wadi(['login', mesh.server, '--sso', '--sso-port', String(port)])
  assert.equal(login.code, 20)
  assert.match(login.stderr, /choose another port with --sso-port/)
})
