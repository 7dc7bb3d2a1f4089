import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { SpanSink } from './span.ts'

/** The trace that code runs in. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string
  /** 16 hex digits: the span that what begins now belongs to; undefined in a trace that has no span yet. */
  readonly spanId: string | undefined
  /** True if the caller that began the trace records it. */
  readonly isSampled: boolean
  /** Takes the spans of the service that the code belongs to; undefined where none are recorded. */
  readonly sink: SpanSink | undefined
}

const traces = new AsyncLocalStorage<Trace>()

// https://www.w3.org/TR/trace-context/#traceparent-header: version, trace id, parent span id, flags.
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/**
 * Runs `work` inside a trace: the one that `traceparent` names, or a new one when the header is absent or malformed.
 * Everything that `work` starts, timers and streams included, sees the same `currentTraceId()`.
 * @param sink takes the spans of `work`, unless the caller does not record the trace
 */
export function runInTrace<T>(traceparent: string | undefined, work: () => T, sink?: SpanSink): T {
  const [, traceId = randomBytes(16).toString('hex'), spanId, flags = '01'] =
    traceparentPattern.exec(traceparent ?? '') ?? []
  // https://www.w3.org/TR/trace-context/#sampled-flag
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return traces.run({ traceId, spanId, isSampled, sink }, work)
}

/** Runs `work` inside a span of the running trace. */
export function runInSpan<T>(trace: Trace, spanId: string, work: () => T): T {
  return traces.run({ ...trace, spanId }, work)
}

/** Returns the trace that the running code belongs to. */
export function currentTrace(): Trace | undefined {
  return traces.getStore()
}

/** Returns the id of the trace that the running code belongs to: 32 hex digits, or `undefined` outside of any. */
export function currentTraceId(): string | undefined {
  return traces.getStore()?.traceId
}

/** Returns the `traceparent` header for a call that the running code makes; outside of a trace it starts a new one. */
export function outgoingTraceparent(): string {
  const trace = traces.getStore()
  const traceId = trace?.traceId ?? randomBytes(16).toString('hex')
  const spanId = trace?.spanId ?? randomBytes(8).toString('hex')
  return `00-${traceId}-${spanId}-${trace?.isSampled === false ? '00' : '01'}`
}
