import { randomBytes } from 'node:crypto'
import { currentTrace, runInSpan } from './trace.ts'

/** The attributes of a span, by the names of OpenTelemetry's semantic conventions; never a secret or a text of a user. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Which side of a call a span shows; `internal` is no call. */
export type SpanKind = 'internal' | 'server' | 'client'

/** Something that took time, from its begin to its end. */
export interface EndedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Undefined for the first span of a trace. */
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** In nanoseconds since 1970. */
  readonly startedAt: bigint
  /** In nanoseconds since 1970. */
  readonly endedAt: bigint
  readonly attributes: SpanAttributes
  readonly hasFailed: boolean
}

/** Takes the spans of one service as they end; it must return at once. */
export interface SpanSink {
  add(span: EndedSpan): void
}

/** The options of a span. */
export interface SpanOptions {
  /** By default `internal`. */
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
}

/** A span that has begun. */
export interface Span {
  /** Runs what belongs to the span. */
  run<T>(work: () => T): T
  /** Ends the span, once; later calls do nothing. */
  end(outcome?: SpanOutcome): void
}

/** The end of a span. */
interface SpanOutcome {
  /** The error of the span: only the name of its class is kept. */
  readonly error?: unknown
  readonly attributes?: SpanAttributes
}

/** Begins a span of the running trace; undefined where nothing is recorded, which costs only reading the trace. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const trace = currentTrace()
  if (trace?.sink === undefined || !trace.isSampled) return undefined
  const { sink, traceId, spanId: parentSpanId } = trace
  const spanId = randomBytes(8).toString('hex')
  const startedAt = now()
  let hasEnded = false
  return {
    run: (work) => runInSpan(trace, spanId, work),
    end: ({ error, attributes } = {}) => {
      if (hasEnded) return
      hasEnded = true
      sink.add({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind: options.kind ?? 'internal',
        startedAt,
        endedAt: now(),
        attributes: {
          ...options.attributes,
          ...attributes,
          ...(error !== undefined && { 'error.type': error instanceof Error ? error.name : 'unknown' }),
        },
        hasFailed: error !== undefined,
      })
    },
  }
}

/** Does `work` in a span of the running trace that ends with it. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, options)
  if (span === undefined) return work()
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({ error })
    throw error
  }
}

function now(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1_000_000))
}
