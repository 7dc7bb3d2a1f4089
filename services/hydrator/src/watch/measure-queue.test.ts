import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmbeddedQueue } from '@wadi/queue/embedded-queue.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { measureQueue } from './measure-queue.ts'

test('metrics count what waits in the queue when they are read', async () => {
  await using queue = openEmbeddedQueue({})
  const metrics = createMetrics('hydrator')
  measureQueue(metrics, queue)
  const waiting = async () => /wadi_queue_jobs\{.*state="waiting".*\} (\d+)/.exec(await metrics.expose())?.[1]
  assert.equal(await waiting(), '0')
  await queue.enqueue('a')
  await queue.enqueue('b')
  assert.equal(await waiting(), '2')
})

test('a queue that does not answer leaves no count, and the other metrics are read', async () => {
  const metrics = createMetrics('hydrator')
  let depth = async () => ({ waiting: 3, active: 0, delayed: 0 })
  measureQueue(metrics, { depth: () => depth() })
  assert.match(await metrics.expose(), /wadi_queue_jobs\{.*\} 3/)
  depth = () => Promise.reject(new Error('no connection'))
  const text = await metrics.expose()
  assert.doesNotMatch(text, /wadi_queue_jobs\{/)
  assert.match(text, /process_resident_memory_bytes/)
})
