import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedSpan } from '@wadi/testing/otlp-receiver.ts'
import { traceText } from './trace-report.ts'

function span(traceId: string, name: string, milliseconds: number, more: Partial<ReceivedSpan> = {}) {
  const ids = { traceId, spanId: '00f067aa0ba902b7', parentSpanId: '' }
  return {
    ...ids,
    service: 'hydrator',
    name,
    kind: 1,
    milliseconds,
    hasFailed: false,
    attributes: {},
    ...more,
  }
}

test('spans are added up by service and name, with what was started and called, and the last run stands alone', () => {
  const program = { service: 'commit-server', attributes: { 'process.executable.name': 'git' } }
  const text = traceText([
    span('first', 'commit', 30),
    span('first', 'git push', 12, program),
    span('second', 'commit', 10),
    span('second', 'git push', 5, program),
    span('second', 'a.B/C', 2, { kind: 3, attributes: { 'rpc.method': 'a.B/C' } }),
    span('second', 'remote push', 6, { kind: 3, service: 'commit-server' }),
  ])
  assert.equal(
    text,
    `all traces: 2 programs, 1 calls between services, 1 requests to remotes
  COUNT    TOTAL ms  LONGEST ms  SERVICE        SPAN
      2        40.0        30.0  hydrator       commit
      2        17.0        12.0  commit-server  git push
      1         6.0         6.0  commit-server  remote push
      1         2.0         2.0  hydrator       a.B/C
the last run of a branch that committed: 1 programs, 1 calls between services, 1 requests to remotes
  COUNT    TOTAL ms  LONGEST ms  SERVICE        SPAN
      1        10.0        10.0  hydrator       commit
      1         6.0         6.0  commit-server  remote push
      1         5.0         5.0  commit-server  git push
      1         2.0         2.0  hydrator       a.B/C`,
  )
})
