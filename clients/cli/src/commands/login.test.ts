import assert from 'node:assert/strict'
import { chmod, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readContextFile, writeContext } from '../connection/context-file.ts'
import { tokenClaims } from '../sign-in/token-claims.ts'
import { sharedMeshFixture } from '../testing/mesh-fixture.ts'
import { runWadi } from '../testing/run-wadi-fixture.ts'
import { runOnTerminal } from '../testing/terminal-fixture.ts'

const mesh = await sharedMeshFixture()

const password = (
  await mesh.wadi(['admin', 'initial-password', '--data', mesh.dataDirectory])
).stdout.trimEnd()

/** The context of the server, as the file has it. */
async function contextOf(name = mesh.server) {
  const { contexts } = await readContextFile(mesh.contextFile)
  return contexts.find((context) => context.name === name)
}

test('a password signs in, the token is kept for its owner alone, and calls carry it until logout', async () => {
  const login = await mesh.wadi(['login', mesh.server, '--username', 'admin', '--password-stdin'], {
    input: `${password}\n`,
  })
  assert.equal(
    login.stdout,
    `'admin' logged in successfully\nContext '${mesh.server}' updated\n`,
    login.stderr,
  )
  assert.equal(login.code, 0)
  assert.equal((await stat(mesh.contextFile)).mode & 0o777, 0o600)
  const token = (await contextOf())?.token ?? ''
  assert.equal(tokenClaims(token)?.subject, 'admin:login')

  const user = await mesh.wadi(['account', 'whoami'])
  assert.equal(user.stdout, 'Logged In: true\nUsername: admin\nIssuer: argocd\nGroups: \n')
  assert.equal((await mesh.wadi(['account', 'session-token'])).stdout, `${token}\n`)

  const logout = await mesh.wadi(['logout'])
  assert.deepEqual([logout.stdout, logout.stderr, logout.code], [`Logged out from '${mesh.server}'\n`, '', 0])
  assert.equal((await contextOf())?.token, '')
  const revoked = await mesh.wadi(['proj', 'list'], { environment: { WADI_AUTH_TOKEN: token } })
  assert.equal(revoked.code, 20)
  assert.match(revoked.stderr, /code = Unauthenticated/)
  assert.equal((await mesh.wadi(['account', 'whoami'])).stdout, 'Logged In: false\n')
})

test('relogin signs the same account in again', async () => {
  const environment = { WADI_PASSWORD: password }
  assert.equal((await mesh.wadi(['login', mesh.server, '--username', 'admin'], { environment })).code, 0)
  const first = (await contextOf())?.token
  const again = await mesh.wadi(['relogin'], { environment })
  assert.equal(
    again.stdout,
    `'admin' logged in successfully\nContext '${mesh.server}' updated\n`,
    again.stderr,
  )
  assert.notEqual((await contextOf())?.token, first)
})

test('a wrong password is refused with a message that does not reveal which half was wrong, and nothing is stored', async () => {
  const name = ['--name', 'refused']
  const { code, stderr } = await mesh.wadi(['login', mesh.server, '--username', 'admin', ...name], {
    environment: { WADI_PASSWORD: 'wrong' },
  })
  assert.equal(code, 20)
  assert.match(stderr, /code = Unauthenticated desc = Invalid username or password/)
  assert.equal(await contextOf('refused'), undefined)
})

test('without a terminal what is missing is named, with the ways that keep it secret', async () => {
  const [noName, noPassword] = await Promise.all([
    mesh.wadi(['login', mesh.server]),
    mesh.wadi(['login', mesh.server, '--username', 'admin']),
  ])
  assert.deepEqual([noName.code, noPassword.code], [1, 1])
  assert.match(noName.stderr, /give it with --username/)
  assert.match(noPassword.stderr, /--password-stdin or \$WADI_PASSWORD; --password works too but shows it/)
})

test('on a terminal login prompts for name and password, and the password is not shown', async () => {
  const screen = await runOnTerminal(['login', mesh.server, '--name', 'asked'], {
    environment: mesh.environment,
    prompt: ': ',
    answers: ['admin', password],
  })
  assert.match(screen, /Username: .*Password: .*'admin' logged in successfully/s)
  assert.equal(screen.includes(password), false)
  assert.equal(tokenClaims((await contextOf('asked'))?.token ?? '')?.subject, 'admin:login')
})

test('Ctrl-C at a question ends the command on a line of its own', async () => {
  const screen = await runOnTerminal(['login', mesh.server, '--name', 'stopped'], {
    environment: mesh.environment,
    prompt: ': ',
    answers: ['admin', '\u0003'],
  })
  assert.match(screen, /Password: \r?\nFATA\[\d+\] cancelled/)
  assert.equal(await contextOf('stopped'), undefined)
})

test('without a sign-in the error says how to sign in', async () => {
  const context = { name: 'out', server: mesh.server, token: '', plaintext: true, current: false }
  await writeContext(context, mesh.contextFile)
  const [list, relogin] = await Promise.all([
    mesh.wadi(['app', 'list', '--wadi-context', 'out']),
    mesh.wadi(['relogin', '--wadi-context', 'out']),
  ])
  assert.deepEqual([list.code, relogin.code], [20, 1])
  assert.match(list.stderr, /no session information; use "wadi login" or "wadi relogin"/)
  assert.match(relogin.stderr, /nobody is signed in to .*: use "wadi login /)
})

test('logout deletes the token also when the server is unreachable, with a warning', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  server.close()
  const context = { name: 'away', server: address, token: 'a.b.c', plaintext: true, current: false }
  await writeContext(context, mesh.contextFile)
  const { stdout, stderr, code } = await mesh.wadi(['logout', 'away'])
  assert.deepEqual([stdout, code, (await contextOf('away'))?.token], ["Logged out from 'away'\n", 0, ''])
  assert.match(stderr, /^WARN.*the session was not ended at .*: .*no server answers at/)
})

test('a context file that others can read is refused before anybody is asked', async () => {
  const context = { name: 'x', server: 'x:1', token: '', plaintext: true, current: true }
  const path = `${mesh.directory}/shared/config`
  await writeContext(context, path)
  await chmod(path, 0o640)
  const { code, stderr } = await mesh.wadi(['login', mesh.server, '--config', path])
  assert.equal(code, 1)
  assert.match(stderr, /has mode 0640; run: chmod 600 /)
})

test('the initial password is read from the data of wadi up alone', async () => {
  const { code, stderr } = await runWadi(['admin', 'initial-password', '--data', mesh.directory])
  assert.equal(code, 20)
  assert.match(stderr, /is not a data directory of "wadi up"; name it with --data/)
})
