import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { CommandService } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { createServiceClient } from '@wadi/rpc/create-client.ts'
import { createServiceIdentity, loadServiceKey } from '@wadi/rpc/service-identity.ts'
import { isAlive } from '@wadi/testing/is-alive.ts'
import { until } from '@wadi/testing/until.ts'
import { archiveOf } from './archive/archive-fixture.ts'
import { scriptRequests } from './commands/command-server-fixture.ts'
import { ownSeconds, sleepers } from '@wadi/testing/sleepers.ts'
import { callWith, clientOf, serverFlags, startServer } from './cmp-server-fixture.ts'

const main = path.join(import.meta.dirname, 'main.ts')

test('a server that was killed during a run is tidied up after by the next one', async () => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-cmp-'))
  const directory = made.path
  const script = `echo $$ >> ${directory}/pids; (setsid sh -c 'cd /; echo $$ >> ${directory}/pids; exec sleep 1000' >/dev/null 2>&1 &); exec sleep 1000`
  const plugin = `kind: ConfigManagementPlugin\nmetadata: {name: slow}\nspec: {generate: {command: [sh, -c, ${JSON.stringify(script)}]}}\n`
  await writeFile(path.join(directory, 'plugin.yaml'), plugin)
  const listen = ['--listen', `unix:${directory}/s.sock`, '--plugin', path.join(directory, 'plugin.yaml')]
  const server = spawn(process.execPath, [main, ...serverFlags(directory), ...listen], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: 'inherit',
  })
  await until(() => existsSync(path.join(directory, 's.sock')))
  await using client = await clientOf(directory, `unix:${directory}/s.sock`)
  const call = client.generateManifest(await callWith([]))
  const pids = () =>
    existsSync(path.join(directory, 'pids'))
      ? readFileSync(path.join(directory, 'pids'), 'utf8').trim().split('\n').map(Number)
      : []
  await Promise.all([
    assert.rejects(call, { name: 'UnavailableError' }),
    until(() => pids().length === 2).then(() => server.kill('SIGKILL')),
  ])
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  const runs = path.join(directory, 'cmp-server/runs')
  // What left the process group may live on where there is no control group.
  await until(() => !isAlive(pids()[0] ?? 0))
  assert.equal(readdirSync(runs).length, 1)

  await using next = await startServer(plugin, () => ['--data-dir', directory, '--listen', '127.0.0.1:0'])
  assert.deepEqual(pids().map(isAlive), [false, false])
  assert.deepEqual(readdirSync(runs), [])
  assert.ok(next.server.address)
})

test('a second server of one data directory is refused, and the runs of the first one go on', async () => {
  const plugin =
    'kind: ConfigManagementPlugin\nmetadata: {name: a}\nspec: {generate: {command: [echo, "a: b"]}}\n'
  await using first = await startServer(plugin)
  const run = path.join(first.runs, 'run-of-first')
  mkdirSync(run)
  const flags = () => ['--data-dir', first.directory, '--listen', '127.0.0.1:0']
  await assert.rejects(startServer(plugin, flags), {
    name: 'FailedPreconditionError',
    message: `another cmp-server uses ${first.directory}/cmp-server; give each one its own data directory (WADI_DATA_DIR)`,
  })
  assert.ok(existsSync(run))
})

test('a script in namespaces does not outlive a server that is killed', async (t) => {
  await using made = await mkdtempDisposable(path.join(tmpdir(), 'wadi-cmp-'))
  const directory = made.path
  const listen = ['--listen', `unix:${directory}/s.sock`, '--run-scripts', 'allow']
  const server = spawn(process.execPath, [main, ...serverFlags(directory), ...listen], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: 'inherit',
  })
  await until(() => existsSync(path.join(directory, 's.sock')))
  await using client = await createServiceClient(CommandService, {
    endpoints: [`unix:${directory}/s.sock`],
    identity: createServiceIdentity({
      key: await loadServiceKey(path.join(directory, 'service.key')),
      service: 'repo-server',
    }),
    audience: 'cmp-server',
  })
  const { scriptsRefusedBecause } = await client.describeCommands({})
  if (scriptsRefusedBecause !== '') {
    server.kill()
    t.skip(scriptsRefusedBecause)
    return
  }
  const call = client.runScript(scriptRequests(`setsid sleep ${ownSeconds}`, await archiveOf([])))
  await Promise.all([
    assert.rejects(call, { name: 'UnavailableError' }),
    until(() => sleepers().length > 0).then(() => server.kill('SIGKILL')),
  ])
  await until(() => sleepers().length === 0)
})

test('servers with different directories in one process do not touch the runs of one another', async () => {
  const plugin = (name: string) =>
    `kind: ConfigManagementPlugin\nmetadata: {name: ${name}}\nspec: {generate: {command: [sh, -c, 'touch started; while ! [ -e go ]; do sleep 0.02; done; echo "{\\"kind\\":\\"A\\",\\"apiVersion\\":\\"v1\\",\\"metadata\\":{\\"name\\":\\"${name}\\"}}"']}}\n`
  const open = (directory: string) => ['--listen', `unix:${directory}/`, '--open-socket']
  await using first = await startServer(plugin('one'), open)
  const running = first.client.generateManifest(await callWith([]))
  const started = () =>
    readdirSync(first.runs)
      .map((run) => path.join(first.runs, run, 'files'))
      .find((files) => existsSync(path.join(files, 'started')))
  await until(() => started() !== undefined)
  {
    await using second = await startServer(plugin('two'), open)
    assert.equal(second.server.address, `unix:${second.directory}/two.sock`)
    assert.equal((await second.client.checkPluginConfiguration({})).pluginName, 'two')
  }
  await writeFile(path.join(started() ?? '', 'go'), '')
  assert.match((await running).manifests.join(), /"name":"one"/)
})

test('calls above the bound wait without their files, and one that gives up leaves nothing', async () => {
  const plugin = `kind: ConfigManagementPlugin\nmetadata: {name: slow}\nspec: {generate: {command: [sh, -c, 'touch started; while ! [ -e go ]; do sleep 0.02; done']}}\n`
  await using mesh = await startServer(plugin, () => [
    '--listen',
    '127.0.0.1:0',
    '--max-concurrent-runs',
    '1',
  ])
  const filesOf = () => readdirSync(mesh.runs).map((run) => path.join(mesh.runs, run, 'files'))
  const started = () => filesOf().filter((files) => existsSync(path.join(files, 'started')))
  const first = mesh.client.generateManifest(await callWith([]))
  await until(() => started().length === 1)
  const caller = new AbortController()
  const second = mesh.client.generateManifest(await callWith([]), { signal: caller.signal })
  await until(() => filesOf().length === 2)
  assert.equal(filesOf().filter((files) => existsSync(files)).length, 1)
  caller.abort()
  await assert.rejects(second, { name: 'CanceledError' })
  await until(() => filesOf().length === 1)
  await assert.rejects(mesh.client.generateManifest(await callWith([]), { timeoutMs: 200 }), {
    name: 'DeadlineExceededError',
  })
  await writeFile(path.join(started()[0] ?? '', 'go'), '')
  assert.deepEqual((await first).manifests, [])
  await until(() => filesOf().length === 0)
})
