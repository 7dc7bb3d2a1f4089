import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { limitProcessorTime } from './processor-limit.ts'

const milliseconds = 300

/** Runs a program in a thread until it has exceeded its limit, and returns the milliseconds of a processor that it used. */
async function usedBy(program: string): Promise<number> {
  const worker = new Worker(program, { eval: true, execArgv: [] })
  await once(worker, 'message')
  const exceeded = Promise.withResolvers<void>()
  using _ = limitProcessorTime(worker, milliseconds, exceeded.resolve)
  await exceeded.promise
  const { user, system } = await worker.cpuUsage()
  await worker.terminate()
  return (user + system) / 1_000
}

const ready = "require('node:worker_threads').parentPort.postMessage('ready');"

test('a thread that works ends when it has used its time of a processor', async () => {
  assert.ok((await usedBy(`${ready} for (;;);`)) >= milliseconds)
})

test('a thread that waits ends as well, later', async () => {
  const wait = "import('node:timers/promises').then(({ setTimeout }) => setTimeout(100_000))"
  assert.ok((await usedBy(`${ready} ${wait}`)) < milliseconds)
})
