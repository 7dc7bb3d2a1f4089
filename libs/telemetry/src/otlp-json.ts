import type { EndedSpan, SpanAttributes, SpanKind } from './span.ts'

// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding: ids in hex, 64-bit numbers as strings, enums as numbers.

/** SpanKind of opentelemetry/proto/trace/v1/trace.proto. */
const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
/** STATUS_CODE_ERROR of the same file. */
const errorStatus = { code: 2 }

/** Returns the body of an export request: the spans of one service. */
export function exportRequest(resource: SpanAttributes, spans: readonly EndedSpan[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope: { name: 'wadi' }, spans: spans.map(spanMessage) }],
      },
    ],
  }
}

function spanMessage(span: EndedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: String(span.startedAt),
    endTimeUnixNano: String(span.endedAt),
    attributes: keyValues(span.attributes),
    ...(span.hasFailed && { status: errorStatus }),
  }
}

function keyValues(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
