import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { Gateway } from '../testing/gateway-fixture.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

const path = 'apps/guestbook/.argocd-source.yaml'

async function startGateway(): Promise<Gateway> {
  const gateway = await Gateway.start()
  gateway.applications.set('guestbook', sampleApplication('guestbook', { phase: 'Hydrated', dry: '2' }))
  gateway.edit = { path, before: 'a: 1\n', after: 'a: 2\n', problems: [], warnings: [] }
  return gateway
}

test('values come from the command line and from files, and the commit is reported', async () => {
  await using gateway = await startGateway()
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'motd.txt'), 'one\ntwo=2\n')
  const flags = ['-p', 'replicas=3', '--parameter', 'list[0]=', '-p', 'map.key=a=b', '-p', 'motd=@motd.txt']
  const { stdout, stderr, code } = await runWadi(
    ['app', 'set', 'argocd/guestbook', ...flags, '-p', 'mail=@@home', '--message', 'Scale up', '--force'],
    { environment: gateway.environment, directory: directory.path },
  )
  assert.deepEqual([stdout, stderr, code], [`committed ccccccc to main: ${path}\n`, '', 0])
  const [change] = gateway.changes
  assert.deepEqual(
    change?.changes?.assignments.map(({ target, value }) => [target, value]),
    [
      ['replicas', '3'],
      ['list[0]', ''],
      ['map.key', 'a=b'],
      ['motd', 'one\ntwo=2\n'],
      ['mail', '@home'],
    ],
  )
  const { namespace, name, message, force, dryRun } = change ?? {}
  assert.deepEqual(
    [namespace, name, message, force, dryRun],
    ['argocd', 'guestbook', 'Scale up', true, false],
  )
  assert.deepEqual(
    gateway.calls.map(({ method }) => method),
    ['SetParameters'],
  )
})

test('fields of the Application are changed before its parameters', async () => {
  await using gateway = await startGateway()
  const { code } = await runWadi(['app', 'set', 'guestbook', '--dry-source-revision', 'next', '-p', 'a=2'], {
    environment: gateway.environment,
  })
  assert.equal(code, 0)
  assert.deepEqual(
    gateway.calls.map(({ method }) => method),
    ['GetApplication', 'UpdateApplication', 'SetParameters'],
  )
  const application = gateway.applications.get('guestbook')
  assert.equal(textAt(application, 'spec', 'sourceHydrator', 'drySource', 'targetRevision'), 'next')
})

test('what may be a mistake is a warning beside the commit', async () => {
  await using gateway = await startGateway()
  gateway.edit = { ...gateway.edit, warnings: ['a: the chart has no such value'] }
  const run = await runWadi(['app', 'set', 'guestbook', '-p', 'a=1'], { environment: gateway.environment })
  assert.deepEqual([run.stdout, run.code], [`committed ccccccc to main: ${path}\n`, 0])
  assert.match(run.stderr, /^WARN\[\d+\] a: the chart has no such value$/m)
})

test('a file that needs no change is reported, and what the tool finds wrong is a warning', async () => {
  await using gateway = await startGateway()
  gateway.edit = { ...gateway.edit, after: 'a: 1\n', problems: ['b: a value is required'] }
  const run = (...flags: string[]) =>
    runWadi(['app', 'set', 'guestbook', '-p', 'a=1', ...flags], { environment: gateway.environment })
  const { stdout, stderr, code } = await run()
  assert.deepEqual([stdout, code], [`${path} already has these values; there is nothing to commit\n`, 0])
  assert.match(stderr, /^WARN\[\d+\] b: a value is required$/m)
  const printed = await run('--print')
  assert.deepEqual([printed.stdout, printed.code], ['', 0])
  assert.match(printed.stderr, /there is nothing to commit/)
})

test('a printed change commits nothing, and git takes it from the pipe', async () => {
  await using gateway = await startGateway()
  await using directory = await temporaryDirectory()
  const repository = await createRepository(directory.path)
  await repository.commitFiles({ [path]: 'a: 1\n' }, 'First\n')
  const { environment } = gateway
  const set = ['app', 'set', 'guestbook', '-p', 'a=2']
  const { stdout, stderr, code } = await runWadi([...set, '--print'], { environment })
  assert.equal(code, 0)
  const [, reviewed = ''] = /^to commit just this: --reviewed ([0-9a-f]{40})$/m.exec(stderr) ?? []
  await runWadi([...set, '--reviewed', reviewed], { environment })
  assert.deepEqual([gateway.changes[1]?.dryRun, gateway.changes[1]?.reviewedSha], [false, reviewed])
  assert.equal(
    stdout,
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n-a: 1\n+a: 2\n`,
  )
  assert.equal(gateway.changes[0]?.dryRun, true)
  const git = spawn('git', ['apply'], { cwd: directory.path, stdio: ['pipe', 'inherit', 'inherit'] })
  git.stdin.end(stdout)
  await once(git, 'close')
  assert.equal(await readFile(join(directory.path, path), 'utf8'), 'a: 2\n')
})

test('parameters are unset by their targets', async () => {
  await using gateway = await startGateway()
  const { stdout, code } = await runWadi(['app', 'unset', 'guestbook', '-p', 'list[0]', '-p', 'map.key'], {
    environment: gateway.environment,
  })
  assert.deepEqual([stdout, code], [`committed ccccccc to main: ${path}\n`, 0])
  assert.deepEqual(gateway.changes[0]?.changes?.removals, ['list[0]', 'map.key'])
  assert.deepEqual(gateway.changes[0]?.changes?.assignments, [])
})

const rejections: [string[], number, RegExp][] = [
  [['set', 'guestbook', '-p', 'replicas'], 1, /-p takes name=value, not "replicas"/],
  [['set', 'guestbook', '-p', '=3'], 1, /-p takes name=value/],
  [['set', 'guestbook', '-p', 'a=@missing.txt'], 20, /ENOENT.*missing\.txt.*write @@ for a value/],
  [['set', 'guestbook', '-p', 'a=@large.txt'], 20, /large\.txt is larger than 1048576 bytes/],
  [['set', 'guestbook', '-p', 'a=@binary'], 20, /binary is not UTF-8 text/],
  [['set', 'guestbook', '--project', 'web', '--print'], 1, /belong to -p name=value/],
  [['set', 'guestbook', '--project', 'web', '-p', 'a=1', '--print'], 1, /--print changes nothing/],
  [['set', 'guestbook', '--print'], 1, /Usage: wadi app set/],
  [['unset', 'guestbook'], 1, /Usage: wadi app unset/],
]

for (const [args, exitCode, message] of rejections) {
  test(`app ${args.join(' ')} is refused before the server hears of it`, async () => {
    await using gateway = await startGateway()
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'large.txt'), 'x'.repeat(1024 * 1024 + 1))
    await writeFile(join(directory.path, 'binary'), Buffer.from([0xff, 0xfe]))
    const { stderr, code } = await runWadi(['app', ...args], {
      environment: gateway.environment,
      directory: directory.path,
    })
    assert.equal(code, exitCode)
    assert.match(stderr, message)
    assert.deepEqual(gateway.calls, [])
  })
}
