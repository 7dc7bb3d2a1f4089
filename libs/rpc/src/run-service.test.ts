import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { processFile, startProcess } from './process-fixture.ts'
import { createTestClient } from './server-fixture.ts'

test('SIGTERM lets the call in flight end and the process exit with 0', async () => {
  await using served = await startProcess('150')
  await using client = await createTestClient([served.address])
  const call = client.list({})
  assert.equal(await served.nextLine(), 'called')
  served.child.kill('SIGTERM')
  assert.deepEqual(Object.keys((await call).statuses), ['ended'])
  assert.deepEqual(await served.exited, [0, null])
})

test('a server killed in the middle of a call or stream is unavailable, not canceled', async () => {
  await using served = await startProcess('60000')
  await using client = await createTestClient([served.address])
  const stream = client.watch({})[Symbol.asyncIterator]()
  assert.equal((await stream.next()).done, false)
  const call = client.list({})
  assert.equal(await served.nextLine(), 'called')
  const outcomes = Promise.all([
    assert.rejects(call, UnavailableError),
    assert.rejects(stream.next(), UnavailableError),
  ])
  served.child.kill('SIGKILL')
  await outcomes
  await assert.rejects(client.list({}), UnavailableError)
})

test('a second signal ends the process at once', async () => {
  await using served = await startProcess('60000')
  await using client = await createTestClient([served.address])
  const call = assert.rejects(client.list({}), UnavailableError)
  assert.equal(await served.nextLine(), 'called')
  served.child.kill('SIGTERM')
  served.child.kill('SIGINT')
  assert.deepEqual(await served.exited, [1, null])
  await call
})

test('a failed start prints one line and exits with 1', async () => {
  const child = spawn(process.execPath, [processFile, 'fail'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = Array.fromAsync(child.stderr.setEncoding('utf8'))
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.equal((await errors).join(''), 'port 1 is taken\n')
})

test('a service has the time that it may drain and ten seconds more', async () => {
  const module = JSON.stringify(new URL('run-service.ts', import.meta.url).href)
  const program = `
    const { runService } = await import(${module})
    globalThis.setTimeout = (end, milliseconds) => ({ unref: () => { console.log(milliseconds); end() } })
    process.nextTick(() => process.emit('SIGTERM'))
    await runService(async () => ({ drainTimeoutMs: 90_000, [Symbol.asyncDispose]: () => new Promise(() => setInterval(() => {}, 1000)) }))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = Array.fromAsync(child.stdout.setEncoding('utf8'))
  assert.deepEqual(await once(child, 'exit'), [1, null])
  assert.equal((await printed).join(''), '100000\n')
})
