import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { mainFile, runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

/** Renderers that are found need not be unpacked. */
const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
const searchPath = [dirname(helm), process.env['PATH']].join(delimiter)

test('demo --once keeps its promises, ends with code 0 and leaves nothing behind', async () => {
  await using directory = await temporaryDirectory()
  const environment = {
    PATH: searchPath,
    HOME: directory.path,
    TMPDIR: join(directory.path, 't'),
    NODE_COMPILE_CACHE: compileCache,
  }
  await mkdir(environment.TMPDIR)
  const { stdout, stderr, code } = await runWadi(['demo', '--once'], { environment, inOwnProcess: true })
  assert.deepEqual([code, stderr], [0, ''], stdout)
  for (const [branch, count] of [
    ['environments/dev', 3],
    ['environments/test', 3],
    ['environments/prod', 4],
  ])
    assert.ok(stdout.includes(`  ${branch}: ${count} of ${count} applications hydrated\n`), stdout)
  const rows = stdout
    .split('\n')
    .filter((line) => /^(?:dev|test|prod)-(?:east|west|platform|shop) /.test(line))
  assert.equal(rows.length, 10)
  for (const row of rows)
    assert.match(row, /^\S+ +environments\/\S+ +[0-9a-f]{7} +[0-9a-f]{7} +[1-9]\d* +\d+\.\ds$/)
  assert.match(stdout, /^prod-shop: workload param "registry" ignored: .* \(platform\/web\.yaml:8\)$/m)
  const [, files = ''] = stdout.split('One commit on environments/prod, which changed:\n')
  const changed = files.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []))
  assert.ok(changed.includes('east/manifest.yaml'))
  for (const file of changed) assert.match(file, /^(?:hydrator\.metadata|east\/.+)$/)
  assert.doesNotMatch(stdout, /wadi_[\w-]{43}/)
  await until(async () => (await readdir(environment.TMPDIR)).length === 0)
  assert.deepEqual(await readdir(directory.path), ['t'])
})

test('the compiled code of the command line is kept for the next run', async () => {
  await using directory = await temporaryDirectory()
  const environment = { TMPDIR: directory.path }
  const { code, stderr } = await runWadi(['completion', 'bash'], { environment, inOwnProcess: true })
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(await readdir(directory.path), ['node-compile-cache'])
})

test('demo without --once stays up until it is interrupted', async () => {
  await using directory = await temporaryDirectory()
  const temporary = join(directory.path, 't')
  await mkdir(temporary)
  const child = spawn(process.execPath, [...nodeOptions, mainFile, 'demo'], {
    env: {
      PATH: searchPath,
      HOME: directory.path,
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: compileCache,
      WADI_PROGRAM: './wadi',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    let config = ''
    const hints: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (/^ {2}\S*wadi /.test(line)) hints.push(line)
      config ||= /^ {2}export WADI_CONFIG_DIR=(.+)$/.exec(line)?.[1] ?? ''
      if (line.endsWith('Ctrl-C stops everything and removes it.')) break
    }
    assert.ok(hints.length > 5 && hints.every((line) => line.startsWith('  ./wadi ')), hints.join('\n'))
    const list = await runWadi(['app', 'list', '-o', 'name'], { environment: { WADI_CONFIG_DIR: config } })
    assert.equal(list.stdout.split('\n').filter(Boolean).length, 10, list.stderr)
    child.kill('SIGINT')
    assert.deepEqual(await exited, [0, null])
    // The git server's own process ends, and removes its directory, a moment after its parent.
    await until(async () => (await readdir(temporary)).length === 0)
  } finally {
    child.kill('SIGKILL')
  }
})
