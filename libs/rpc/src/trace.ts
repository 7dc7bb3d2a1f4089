import type { Interceptor } from '@connectrpc/connect'
import { outgoingTraceparent, runInTrace } from '@wadi/telemetry/trace.ts'

const headerName = 'traceparent'

/** Continues the trace that an incoming request names, or starts one, for everything that `work` does. */
export function runInRequestTrace<T>(
  headers: Record<string, string | string[] | undefined>,
  work: () => T,
): T {
  const value = headers[headerName]
  return runInTrace(Array.isArray(value) ? value[0] : value, work)
}

/** Client interceptor: hands the running trace on to the callee as W3C `traceparent`. */
export const passTraceOn: Interceptor = (next) => (request) => {
  request.header.set(headerName, outgoingTraceparent())
  return next(request)
}
