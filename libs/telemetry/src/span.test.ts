import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProgramSpan } from './process-span.ts'
import { type EndedSpan, inSpan, startSpan } from './span.ts'
import { outgoingTraceparent, runInTrace } from './trace.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpan = '00f067aa0ba902b7'

function recorder() {
  const spans: EndedSpan[] = []
  return { spans, add: (span: EndedSpan) => void spans.push(span) }
}

test('spans belong to the caller and to each other, and calls name the innermost', async () => {
  const sink = recorder()
  let handedOn = ''
  await runInTrace(
    `00-${traceId}-${callerSpan}-01`,
    () =>
      inSpan('outer', { kind: 'server', attributes: { a: 1 } }, () =>
        inSpan('inner', {}, async () => {
          handedOn = outgoingTraceparent()
        }),
      ),
    sink,
  )
  const [inner, outer] = sink.spans
  assert.ok(inner && outer)
  assert.deepEqual(
    [outer.name, outer.kind, outer.attributes, outer.traceId, outer.parentSpanId, outer.hasFailed],
    ['outer', 'server', { a: 1 }, traceId, callerSpan, false],
  )
  assert.deepEqual([inner.name, inner.kind, inner.parentSpanId], ['inner', 'internal', outer.spanId])
  assert.equal(handedOn, `00-${traceId}-${inner.spanId}-01`)
  assert.ok(outer.startedAt <= inner.startedAt && inner.endedAt <= outer.endedAt)
})

test('a failure leaves the name of its class and nothing of its message', async () => {
  const sink = recorder()
  const failing = async () => {
    throw new TypeError('secret')
  }
  await assert.rejects(
    runInTrace(undefined, () => inSpan('work', {}, failing), sink),
    TypeError,
  )
  const [span] = sink.spans
  assert.deepEqual([span?.hasFailed, span?.attributes], [true, { 'error.type': 'TypeError' }])
})

test('nothing is recorded outside of a trace, without a receiver, and in a trace that its caller does not record', async () => {
  const sink = recorder()
  assert.equal(startSpan('outside'), undefined)
  runInTrace(undefined, () => assert.equal(startSpan('unreceived'), undefined))
  runInTrace(
    `00-${traceId}-${callerSpan}-00`,
    () => {
      assert.equal(startSpan('unsampled'), undefined)
      assert.equal(outgoingTraceparent(), `00-${traceId}-${callerSpan}-00`)
    },
    sink,
  )
  assert.deepEqual(sink.spans, [])
})

test('a text of a user cannot name a program', () => {
  const sink = recorder()
  for (const name of ['git fetch', 'helm', 'https://user:secret@host']) {
    runInTrace(undefined, () => startProgramSpan(name), sink)?.end()
  }
  assert.deepEqual(
    sink.spans.map(({ name, attributes }) => [name, attributes['process.executable.name']]),
    [
      ['git fetch', 'git'],
      ['helm', 'helm'],
      ['program', 'program'],
    ],
  )
})
