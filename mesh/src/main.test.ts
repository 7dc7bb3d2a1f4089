import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { freePort } from '@wadi/testing/free-port.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'

test('all services run as one process, which takes the token of a file and ends on SIGTERM', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-mesh-'))
  const data = path.join(scratch.path, 'data')
  await shareToolCache(data)
  const tokenFile = path.join(scratch.path, 'token')
  const token = 'a token of the operator that is long enough'
  await writeFile(tokenFile, `${token}\n`)
  const listen = `127.0.0.1:${await freePort()}`
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE: compileCache,
    WADI_LISTEN: listen,
    WADI_DATA_DIR: data,
    WADI_ADMIN_TOKEN_FILE: tokenFile,
    WADI_LOG_LEVEL: 'error',
  }
  const main = path.join(import.meta.dirname, 'main.ts')
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const statusOf = (request: string, init?: RequestInit) =>
      fetch(`http://${listen}${request}`, init).then(
        ({ status }) => status,
        () => 0,
      )
    await until(async () => (await statusOf('/readyz')) === 200)
    const list = (authorization: string) =>
      statusOf('/wadi.api_gateway.v1.ApplicationService/ListApplications', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{}',
      })
    assert.deepEqual([await list(`Bearer ${token}`), await list('Bearer another')], [200, 401])
  } finally {
    child.kill('SIGTERM')
  }
  assert.deepEqual(await exited, [0, null])
})
