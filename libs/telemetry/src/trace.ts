import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

type Trace = { traceId: string; spanId: string }

const traces = new AsyncLocalStorage<Trace>()

// https://www.w3.org/TR/trace-context/#traceparent-header: version, trace id, parent span id, flags.
const traceparentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/**
 * Runs `work` inside a trace: the one that `traceparent` names, or a new one when the header is absent or malformed.
 * Everything that `work` starts, timers and streams included, sees the same `currentTraceId()`.
 */
export function runInTrace<T>(traceparent: string | undefined, work: () => T): T {
  const traceId = traceparentPattern.exec(traceparent ?? '')?.[1] ?? randomBytes(16).toString('hex')
  return traces.run({ traceId, spanId: randomBytes(8).toString('hex') }, work)
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
  return `00-${traceId}-${spanId}-01`
}
