import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'

/** A span as a receiver has it. */
export interface ReceivedSpan {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** `1` for internal, `2` for server, `3` for client, as trace.proto has it. */
  readonly kind: number
  readonly milliseconds: number
  readonly hasFailed: boolean
  readonly attributes: Readonly<Record<string, string>>
}

/** A receiver of OpenTelemetry traces over HTTP in JSON. */
export interface OtlpReceiver extends AsyncDisposable {
  /** The value for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  /** The received spans. */
  readonly spans: ReceivedSpan[]
  /** The whole text of each request and its headers, to look for what must not be there. */
  readonly requests: { headers: IncomingMessage['headers']; body: string }[]
  /** The status of the answers; 200 at first. */
  status: number
}

interface KeyValue {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number }
}

interface SpanMessage {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValue[]
  status?: { code: number }
}

interface ExportRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: SpanMessage[] }[] }[]
}

/** Starts a receiver on a free port of this machine. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const requests: OtlpReceiver['requests'] = []
  const server = createServer((request, response) => {
    const isExport = request.method === 'POST' && request.url === '/v1/traces'
    if (!isExport || request.headers['content-type'] !== 'application/json') {
      response.writeHead(404).end()
      return
    }
    void json(request).then((body) => {
      requests.push({ headers: request.headers, body: JSON.stringify(body) })
      if (receiver.status === 200) spans.push(...spansOf(body as ExportRequest))
      response.writeHead(receiver.status).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    requests,
    status: 200,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return receiver
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = attributesOf(resource.attributes)['service.name'] ?? ''
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => receivedSpan(service, span)))
  })
}

function receivedSpan(service: string, span: SpanMessage): ReceivedSpan {
  const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)
  return {
    service,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name,
    kind: span.kind,
    milliseconds: Number(nanoseconds) / 1_000_000,
    hasFailed: span.status?.code === 2,
    attributes: attributesOf(span.attributes),
  }
}

function attributesOf(attributes: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? String(value.boolValue ?? value.doubleValue),
    ]),
  )
}
