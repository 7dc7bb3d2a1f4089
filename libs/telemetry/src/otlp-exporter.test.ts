import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OtlpReceiver, startOtlpReceiver } from '@wadi/testing/otlp-receiver.ts'
import { OtlpExporter, type OtlpOptions } from './otlp-exporter.ts'
import type { EndedSpan } from './span.ts'

function ended(name: string): EndedSpan {
  return {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    parentSpanId: undefined,
    name,
    kind: 'client',
    startedAt: 1_767_225_600_000_000_001n,
    endedAt: 1_767_225_600_002_500_001n,
    attributes: { text: 'ä', whole: 3, part: 0.5, yes: true },
    hasFailed: true,
  }
}

function options({ url }: Pick<OtlpReceiver, 'url'>, errors: Error[], more: Partial<OtlpOptions> = {}) {
  const onError = (error: Error) => void errors.push(error)
  return { endpoint: url, headers: '', resourceAttributes: '', service: 'hydrator', onError, ...more }
}

test('what is left is sent at the end, with the headers and attributes of the operator', async () => {
  await using receiver = await startOtlpReceiver()
  const errors: Error[] = []
  const more = { headers: 'x-key=a%20b, x-team=t', resourceAttributes: 'deployment.environment.name=test' }
  {
    await using exporter = new OtlpExporter(options({ url: `${receiver.url}/` }, errors, more))
    exporter.add(ended('first'))
  }
  assert.deepEqual(errors, [])
  assert.deepEqual(receiver.spans, [
    {
      service: 'hydrator',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      parentSpanId: '',
      name: 'first',
      kind: 3,
      milliseconds: 2.5,
      hasFailed: true,
      attributes: { text: 'ä', whole: '3', part: '0.5', yes: 'true' },
    },
  ])
  const [request] = receiver.requests
  assert.deepEqual([request?.headers['x-key'], request?.headers['x-team']], ['a b', 't'])
  assert.match(request?.body ?? '', /"deployment\.environment\.name","value":\{"stringValue":"test"\}/)
})

test('a full batch is sent at once, and spans that come too fast are counted as lost', async () => {
  await using receiver = await startOtlpReceiver()
  const errors: Error[] = []
  {
    await using exporter = new OtlpExporter(options(receiver, errors))
    for (let number = 0; number < 2_100; number++) exporter.add(ended(`span ${number}`))
  }
  assert.equal(receiver.spans.length, 2_048)
  assert.equal(receiver.requests.length, 4)
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['52 spans are lost: the receiver is too slow'],
  )
})

test('a receiver that refuses or is away loses spans, is reported, and holds nothing up', async () => {
  const errors: Error[] = []
  const receiver = await startOtlpReceiver()
  receiver.status = 503
  {
    await using exporter = new OtlpExporter(options(receiver, errors, { headers: 'x-key=secret' }))
    for (let number = 0; number < 600; number++) exporter.add(ended('refused'))
  }
  await receiver[Symbol.asyncDispose]()
  {
    await using exporter = new OtlpExporter(options(receiver, errors))
    exporter.add(ended('unsent'))
  }
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['512 spans are lost', '1 spans are lost'],
  )
  assert.match(String(errors[0]?.cause), /status 503/)
  assert.equal(JSON.stringify(errors).includes('secret'), false)
})

test('an endpoint or headers that cannot be read are rejected without being repeated', () => {
  const wrong: [Partial<OtlpOptions>, RegExp][] = [
    [{ endpoint: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be/],
    [{ endpoint: 'http://me:secret@collector' }, /OTEL_EXPORTER_OTLP_HEADERS/],
    [{ headers: 'secret' }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
    [{ headers: 'x-key=%secret' }, /OTEL_EXPORTER_OTLP_HEADERS must be name=value/],
    [{ resourceAttributes: '=secret' }, /OTEL_RESOURCE_ATTRIBUTES must be name=value/],
  ]
  for (const [more, message] of wrong) {
    assert.throws(
      () => new OtlpExporter(options({ url: 'http://127.0.0.1:1' }, [], more)),
      (error: Error) => message.test(error.message) && !error.message.includes('secret'),
    )
  }
})
