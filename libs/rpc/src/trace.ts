import type { Interceptor, UnaryRequest, StreamRequest } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import { type Span, type SpanKind, type SpanSink, startSpan } from '@wadi/telemetry/span.ts'
import { outgoingTraceparent, runInTrace } from '@wadi/telemetry/trace.ts'
import { toConnectError } from './error-mapping.ts'

const headerName = 'traceparent'

/** Continues the trace that an incoming request names, or starts one, for everything that `work` does. */
export function runInRequestTrace<T>(
  headers: Record<string, string | string[] | undefined>,
  work: () => T,
  sink: SpanSink | undefined,
): T {
  const value = headers[headerName]
  return runInTrace(Array.isArray(value) ? value[0] : value, work, sink)
}

/** Client interceptor: hands the running trace on to the callee as W3C `traceparent`, and records the call as a span. */
export function traceCallsTo(service: string): Interceptor {
  return traced('client', { 'server.address': service }, (request) => {
    request.header.set(headerName, outgoingTraceparent())
  })
}

/** Server interceptor: records each call as a span that ends with the last message of its answer. */
export const traceHandledCalls: Interceptor = traced('server', {})

function traced(
  kind: SpanKind,
  attributes: Readonly<Record<string, string>>,
  prepare: (request: UnaryRequest | StreamRequest) => void = () => undefined,
): Interceptor {
  return (next) => async (request) => {
    const method = `${request.service.typeName}/${request.method.name}`
    const isGrpc = request.header.get('content-type')?.startsWith('application/grpc') === true
    const span = startSpan(method, {
      kind,
      // https://opentelemetry.io/docs/specs/semconv/rpc/rpc-spans/
      attributes: { 'rpc.system.name': isGrpc ? 'grpc' : 'connectrpc', 'rpc.method': method, ...attributes },
    })
    const call = () => {
      prepare(request)
      return next(request)
    }
    if (span === undefined) return call()
    try {
      const response = await span.run(call)
      if (response.stream) return { ...response, message: messagesIn(span, response.message) }
      span.end()
      return response
    } catch (error) {
      endFailed(span, error)
      throw error
    }
  }
}

/** Yields messages whose making runs in the span too, for any consumer. */
async function* messagesIn<T>(span: Span, messages: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = messages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await span.run(() => iterator.next())
      if (done === true) return
      yield value
    }
  } catch (error) {
    endFailed(span, error)
    throw error
  } finally {
    await iterator.return?.()
    span.end()
  }
}

function endFailed(span: Span, error: unknown): void {
  span.end({
    error,
    attributes: { 'rpc.response.status_code': codeToString(toConnectError(error).code) },
  })
}
