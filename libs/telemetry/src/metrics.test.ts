import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('samples are exposed with the prefix, the service and their labels', async () => {
  const metrics = createMetrics('repo-server')
  metrics.counter('renders_total', 'Renders.', ['outcome']).inc({ outcome: 'rendered' }, 2)
  metrics.gauge('queue_depth', 'Waiting jobs.').set(7)
  metrics.rpcDuration.observe({ method: 'a.B/C', code: 'ok' }, 0.02)
  const text = await metrics.expose()
  assert.match(text, /^wadi_renders_total\{outcome="rendered",service="repo-server"\} 2$/m)
  assert.match(text, /^wadi_queue_depth\{service="repo-server"\} 7$/m)
  assert.match(
    text,
    /^wadi_rpc_duration_seconds_bucket\{le="0.025",service="repo-server",method="a.B\/C",code="ok"\} 1$/m,
  )
  assert.match(text, /^process_resident_memory_bytes\{service="repo-server"\} \d+$/m)
  assert.match(metrics.contentType, /^text\/plain/)
})

test('two services in one process keep their samples apart', async () => {
  const first = createMetrics('hydrator')
  const second = createMetrics('commit-server')
  first.counter('runs_total', 'Runs.').inc()
  assert.match(await first.expose(), /^wadi_runs_total\{service="hydrator"\} 1$/m)
  assert.doesNotMatch(await second.expose(), /runs_total/)
})
