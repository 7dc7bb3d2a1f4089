import { Code, ConnectError } from '@connectrpc/connect'
import type { Interceptor } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import { toConnectError } from './error-mapping.ts'
import { RepeatedLines } from './repeated-lines.ts'
import { traceHandledCalls } from './trace.ts'

/** The time limits of calls, in milliseconds. */
export type CallTimeouts = {
  /** For unary and client-streaming calls whose caller gave no deadline. */
  defaultTimeoutMs: number
  /** For unary and client-streaming calls of any caller. */
  maxTimeoutMs: number
}

/**
 * The interceptors of a server, outermost first:
 *
 *     identity              before them all and before the body is read (of services: service-gate.ts; of end users:
 *                           the gateway's gate): what an unknown caller sends is never buffered or parsed
 *     access log, metrics   see the final code of every call and, for streams, its last message
 *     trace                 the span of every call
 *     error mapping         so that all inside may throw domain errors, mid-stream too
 *     the server's own      for example the gateway's audit log
 *     deadline              innermost, so that the time it gives is the handler's
 *       handler
 */
export function serverInterceptors(options: {
  /** Name of the service. */
  name: string
  logger: Logger
  metrics: MetricsRegistry
  timeouts: CallTimeouts
  own: readonly Interceptor[]
}): Interceptor[] {
  return [
    recordCalls(options.logger, options.metrics),
    traceHandledCalls,
    mapErrors(options.name),
    ...options.own,
    enforceDeadline(options.timeouts),
  ]
}

const repeatedLines = new RepeatedLines()

/**
 * Logs and counts a finished call. A problem for the operator is an error, with its stack; something that is unreachable is a
 * warning, once while that lasts; a rejection is never routine and so is info; everything else is debug.
 */
export function recordCall(
  logger: Logger,
  metrics: MetricsRegistry,
  call: { method: string; startedAt: number; error?: ConnectError | undefined },
): void {
  const code = call.error === undefined ? 'ok' : codeToString(call.error.code)
  const milliseconds = performance.now() - call.startedAt
  metrics.rpcDuration.observe({ method: call.method, code }, milliseconds / 1_000)
  const line = { method: call.method, code, ms: Math.round(milliseconds * 10) / 10 }
  switch (call.error?.code) {
    case Code.Internal:
    case Code.Unknown:
    case Code.DataLoss:
      logger.error({ ...line, err: call.error.cause ?? call.error }, 'call failed')
      break
    case Code.Unavailable: {
      const { rawMessage: reason } = call.error
      const level = repeatedLines.isRepeated(`${call.method} ${reason}`) ? 'debug' : 'warn'
      logger[level]({ ...line, reason }, 'call failed')
      break
    }
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      logger.info({ ...line, reason: call.error.rawMessage }, 'call refused')
      break
    default:
      logger.debug(line, 'call ended')
  }
}

function recordCalls(logger: Logger, metrics: MetricsRegistry): Interceptor {
  return (next) => async (request) => {
    const startedAt = performance.now()
    const method = `${request.service.typeName}/${request.method.name}`
    const record = (error?: unknown) =>
      recordCall(logger, metrics, {
        method,
        startedAt,
        error: error === undefined ? undefined : toConnectError(error),
      })
    try {
      const response = await next(request)
      if (response.stream) return { ...response, message: observed(response.message, record) }
      record()
      return response
    } catch (error) {
      record(error)
      throw error
    }
  }
}

async function* observed<T>(messages: AsyncIterable<T>, record: (error?: unknown) => void): AsyncIterable<T> {
  let failure: unknown
  try {
    yield* messages
  } catch (error) {
    failure = error
    throw error
  } finally {
    record(failure)
  }
}

function mapErrors(service: string): Interceptor {
  return (next) => async (request) => {
    try {
      const response = await next(request)
      return response.stream ? { ...response, message: mapped(response.message, service) } : response
    } catch (error) {
      throw toConnectError(error, service)
    }
  }
}

async function* mapped<T>(messages: AsyncIterable<T>, service: string): AsyncIterable<T> {
  try {
    yield* messages
  } catch (error) {
    throw toConnectError(error, service)
  }
}

/**
 * Answers `DeadlineExceeded` when the time is over even if the handler does not listen to its signal. Streams of
 * responses live as long as their caller wants: a watch has no natural end, and pings find a dead caller.
 */
function enforceDeadline(timeouts: CallTimeouts): Interceptor {
  return (next) => async (request) => {
    const { methodKind } = request.method
    if (methodKind === 'server_streaming' || methodKind === 'bidi_streaming') {
      const response = await next(request)
      return response.stream
        ? { ...response, message: untilDeadline(response.message, request.signal) }
        : response
    }
    const hasDeadline = request.header.has('connect-timeout-ms') || request.header.has('grpc-timeout')
    const limit = hasDeadline
      ? timeouts.maxTimeoutMs
      : Math.min(timeouts.defaultTimeoutMs, timeouts.maxTimeoutMs)
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort(new ConnectError(`the server allows ${limit} ms for this call`, Code.DeadlineExceeded))
    }, limit)
    const signal = AbortSignal.any([request.signal, late.signal])
    try {
      return await untilAborted(next({ ...request, signal }), signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Ends a stream of responses with its caller's deadline, whose passing only aborts the handler's signal. */
async function* untilDeadline<T>(messages: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  const deadline = new AbortController()
  const onAbort = () => {
    const reason: unknown = signal.reason
    if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) deadline.abort(reason)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const iterator = messages[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), deadline.signal)
      deadline.signal.throwIfAborted()
      if (next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not waited for: a handler that does not listen to its signal would keep its caller.
    iterator.return?.().catch(() => undefined)
  }
}
