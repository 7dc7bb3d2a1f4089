import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { currentTraceId, outgoingTraceparent, runInTrace } from './trace.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

test('a valid traceparent is continued across asynchronous work', async () => {
  await runInTrace(`00-${traceId}-00f067aa0ba902b7-01`, async () => {
    await setImmediate()
    assert.equal(currentTraceId(), traceId)
    assert.match(outgoingTraceparent(), new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  })
  assert.equal(currentTraceId(), undefined)
})

test('a later version of traceparent with more fields is continued', () => {
  runInTrace(`01-${traceId}-00f067aa0ba902b7-01-what-follows`, () => {
    assert.equal(currentTraceId(), traceId)
  })
})

const malformed = {
  'nothing at all': undefined,
  'a trace id of zeros': `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  'a span id of zeros': `00-${traceId}-${'0'.repeat(16)}-01`,
  'the forbidden version ff': `ff-${traceId}-00f067aa0ba902b7-01`,
  'upper-case digits': `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
  'an injected line': `00-${traceId}-00f067aa0ba902b7-01\nx: y`,
}
for (const [name, header] of Object.entries(malformed)) {
  test(`${name} starts a new trace`, () => {
    const seen = runInTrace(header, currentTraceId)
    assert.match(seen ?? '', /^[0-9a-f]{32}$/)
    assert.notEqual(seen, traceId)
  })
}
