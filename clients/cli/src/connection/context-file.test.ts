import assert from 'node:assert/strict'
import { chmod, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { contextFilePath, readContextFile, writeContext } from './context-file.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const local = { name: 'local', server: 'localhost:8080', token: 'secret', plaintext: true, current: true }

test('the place of the file follows WADI_CONFIG_DIR, then XDG_CONFIG_HOME, then the home directory', () => {
  assert.equal(contextFilePath({ WADI_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b', HOME: '/c' }), '/a/config')
  assert.equal(contextFilePath({ XDG_CONFIG_HOME: '/b', HOME: '/c' }), '/b/wadi/config')
  assert.equal(contextFilePath({ HOME: '/c' }), '/c/.config/wadi/config')
})

test('a written context is readable by its owner alone and leaves no draft behind', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'wadi', 'config')
  await writeContext(local, path)
  await writeContext({ ...local, name: 'other', server: 'other:1', current: false }, path)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal((await stat(join(directory.path, 'wadi'))).mode & 0o777, 0o700)
  assert.deepEqual(await readdir(join(directory.path, 'wadi')), ['config', 'config.lock'])
  const { current, contexts } = await readContextFile(path)
  assert.equal(current, 'local')
  assert.deepEqual(contexts, [
    {
      name: 'local',
      server: 'localhost:8080',
      token: 'secret',
      refreshToken: '',
      plaintext: true,
      insecure: false,
    },
    { name: 'other', server: 'other:1', token: 'secret', refreshToken: '', plaintext: true, insecure: false },
  ])
})

test('booleans of the file are read as argocd reads them, and names like them are kept', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const names = ['on', '0o10', '1e3', 'null']
  for (const name of names) await writeContext({ ...local, name, server: name }, path)
  const written = await readContextFile(path)
  assert.deepEqual(
    written.contexts.map(({ name, server }) => [name, server]),
    names.map((name) => [name, name]),
  )
  const servers = 'servers:\n- {server: a, plain-text: on, insecure: yes}\n'
  await writeFile(path, `contexts:\n- {name: a, server: a, user: a}\n${servers}`, { mode: 0o600 })
  const [context] = (await readContextFile(path)).contexts
  assert.deepEqual([context?.plaintext, context?.insecure], [true, true])
})

test('a file that others may read is refused with exit code 1', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  await writeContext(local, path)
  await chmod(path, 0o644)
  const { stderr, code } = await runWadi(['app', 'list'], {
    environment: { WADI_CONFIG_DIR: directory.path },
  })
  assert.equal(code, 1)
  assert.match(stderr, /config holds tokens and has mode 0644; run: chmod 600 /)
})

test('a stored token goes to the server that it was stored for and to no other', async () => {
  await using gateway = await Gateway.start()
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const environment = { WADI_CONFIG_DIR: directory.path }
  await writeContext({ ...local, server: gateway.address }, path)
  assert.equal((await runWadi(['app', 'list'], { environment })).code, 0)
  await writeContext({ ...local, server: 'elsewhere.example.com:443' }, path)
  const address = `http://${gateway.address}`
  assert.equal((await runWadi(['app', 'list', '--server', address], { environment })).code, 0)
  assert.deepEqual(
    gateway.calls.map(({ authorization }) => authorization),
    ['Bearer secret', ''],
  )
})

test('context lists, switches and forgets', async () => {
  await using directory = await temporaryDirectory()
  const environment = { WADI_CONFIG_DIR: directory.path }
  await writeContext(local, join(directory.path, 'config'))
  await writeContext({ ...local, name: 'b', server: 'b:1', current: false }, join(directory.path, 'config'))
  const run = async (...args: string[]) => (await runWadi(['context', ...args], { environment })).stdout
  assert.equal(await run('b'), "Switched to context 'b'\n")
  assert.equal(await run(), 'CURRENT  NAME   SERVER\n         local  localhost:8080\n*        b      b:1\n')
  assert.equal(await run('b', '--delete'), "Context 'b' deleted\n")
  assert.equal(await run(), 'CURRENT  NAME   SERVER\n         local  localhost:8080\n')
  await writeFile(join(directory.path, 'config'), '')
  assert.equal(await run(), 'CURRENT  NAME  SERVER\n')
})

test('WADI_OPTS adds global flags, and the command line wins over it', async () => {
  await using gateway = await Gateway.start()
  const environment = { WADI_OPTS: `--server nowhere.invalid:1 --plaintext -H 'x-extra: two words'` }
  const { code } = await runWadi(['app', 'list', '--server', gateway.address], { environment })
  assert.equal(code, 0)
  assert.deepEqual(gateway.calls, [{ method: 'ListApplications', authorization: '', header: 'two words' }])
})
