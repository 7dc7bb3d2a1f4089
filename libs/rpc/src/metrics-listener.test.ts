import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@wadi/telemetry/logger.ts'
import { createMetrics } from '@wadi/telemetry/metrics.ts'
import { listenForMetrics } from './metrics-listener.ts'

test('an address of its own serves the metrics and nothing else', async () => {
  const metrics = createMetrics('repo-server')
  metrics.rpcDuration.observe({ method: 'a.B/C', code: 'ok' }, 0.1)
  const logger = createLogger({ service: 'repo-server', level: 'error', format: 'json' })
  await using listener = await listenForMetrics('127.0.0.1:0', { metrics, logger })
  const answer = await fetch(`${listener.address}/metrics`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), metrics.contentType)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(
    await answer.text(),
    /wadi_rpc_duration_seconds_count\{service="repo-server",method="a\.B\/C",code="ok"\} 1/,
  )
  for (const [path, method] of [
    ['/', 'GET'],
    ['/healthz', 'GET'],
    ['/metrics', 'POST'],
  ] as const) {
    assert.equal((await fetch(listener.address + path, { method })).status, 404, `${method} ${path}`)
  }
})
