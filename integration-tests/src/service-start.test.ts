import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'

const root = path.join(import.meta.dirname, '../..')

/**
 * The maximum number of modules that the program of a service loads before it reads its settings, about 5 % above the first measured number.
 * Each takes about half a millisecond of every start: import where it is first used what only some settings or calls need. cmp-server has little
 * more than what all services share.
 */
const mostModules = { 'cmp-server': 505, hydrator: 600, 'repo-server': 920 }

/** Modules that none of them needs to start: clients that only some settings need, and packages whose entry loads more than is used. */
const loadedLater = [
  'node_modules/@opentelemetry/api/',
  'node_modules/ioredis/',
  'node_modules/jose/dist/webapi/index.js',
  'node_modules/openid-client/',
  'node_modules/prom-client/index.js',
  'node_modules/rate-limiter-flexible/index.js',
  'node_modules/semver/index.js',
  'node_modules/yaml/',
  'libs/kubernetes/src/client/kubernetes-client.ts',
  'libs/git/src/commit/signed-commits.ts',
  'libs/signatures/src/signing/',
  'libs/telemetry/src/otlp-exporter.ts',
]

const recorder = `import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({ load: (url, context, next) => { writeSync(1, url + '\\n'); return next(url, context) } })`

/** Starts a program of ours that writes to standard output what it loads. */
function startRecorded(main: string, args: readonly string[], environment: Record<string, string> = {}) {
  return spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`, path.join(root, main), ...args],
    { env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, ...environment } },
  )
}

for (const [service, most] of Object.entries(mostModules)) {
  test(`the program of ${service} loads at most ${most} modules`, async () => {
    const child = startRecorded(`services/${service}/src/main.ts`, ['--help'])
    const loaded = (await text(child.stdout)).split('\n').filter((line) => /^(?:file|node):/.test(line))
    assert.ok(loaded.length > 300, 'the modules were not recorded')
    assert.ok(loaded.length <= most, `${loaded.length} modules`)
  })
}

test('a start of all services leaves out what only some settings and calls need', async () => {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-start-'))
  await shareToolCache(directory.path)
  const child = startRecorded('mesh/src/main.ts', [], {
    WADI_LISTEN: '127.0.0.1:0',
    WADI_DATA_DIR: directory.path,
  })
  const output = text(child.stdout)
  for await (const line of createInterface({ input: child.stderr })) {
    if (/"service":"api-gateway".*"msg":"serving"/.test(line)) child.kill('SIGTERM')
  }
  const loaded = await output
  assert.match(loaded, /services\/api-gateway\/src\/api-gateway\.ts/)
  assert.deepEqual(
    loadedLater.filter((module) => loaded.includes(module)),
    [],
  )
})
