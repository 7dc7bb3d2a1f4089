import { setTimeout as pause } from 'node:timers/promises'
import type { DescMethod } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { ConnectError, type Transport } from '@connectrpc/connect'
import { type DomainError, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { fromConnectError } from './error-mapping.ts'

const minAttempts = 4
const firstPauseMs = 50

interface FailoverOptions {
  transports: readonly Transport[]
  /** Name of the called service, for error messages. */
  service: string
  /** Deadline of calls that have none, streams of the server excepted. */
  defaultTimeoutMs: number
}

/**
 * Spreads calls over the transports in turn and throws domain errors. A call that finds its endpoint unavailable goes
 * to the next one, if its method is marked idempotent or free of side effects: at least 4 attempts or one an endpoint,
 * within the deadline of the call. A stream moves on only before its first response, and never when the caller streams too.
 */
export function createFailoverTransport(options: FailoverOptions): Transport {
  const withFailover = createFailover(options)
  return {
    unary: (method, signal, timeoutMs, header, input, contextValues) =>
      withFailover(isRepeatable(method), signal, timeoutMs ?? options.defaultTimeoutMs, (transport, left) =>
        transport.unary(method, signal, left, header, input, contextValues),
      ),
    stream: async (method, signal, timeoutMs, header, input, contextValues) => {
      const isServerStream = method.methodKind === 'server_streaming'
      const single = isServerStream ? await Array.fromAsync(input) : []
      const limit =
        method.methodKind === 'client_streaming' ? (timeoutMs ?? options.defaultTimeoutMs) : timeoutMs
      const response = await withFailover(
        isServerStream && isRepeatable(method),
        signal,
        limit,
        (transport, left) => {
          const messages = isServerStream ? replay(single) : input
          return transport.stream(method, signal, left, header, messages, contextValues)
        },
      )
      return { ...response, message: withDomainErrors(response.message, options.service, signal) }
    },
  }
}

/** Returns what makes a call with one transport after the other, until it succeeds, may not be repeated or is out of time. */
function createFailover({ transports, service }: FailoverOptions) {
  if (transports.length === 0) throw new InvalidInputError(`no endpoint is configured for ${service}`)
  let turn = 0
  const nextTransport = (): Transport => {
    const transport = transports[turn++ % transports.length]
    if (transport === undefined) throw new UnavailableError(`no endpoint of ${service} is left`)
    return transport
  }
  const attempts = Math.max(minAttempts, transports.length)

  return async <T>(
    mayRepeat: boolean,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    call: (transport: Transport, timeoutMs: number | undefined) => Promise<T>,
  ): Promise<T> => {
    const deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    for (let attempt = 1; ; attempt++) {
      const left = timeoutMs === undefined ? undefined : Math.max(0, Math.ceil(deadline - performance.now()))
      try {
        return await call(nextTransport(), left)
      } catch (error) {
        const failure = failureOf(error, service, signal)
        const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
        const isOver = attempt >= attempts || performance.now() + pauseMs >= deadline
        if (!mayRepeat || isOver || !(failure instanceof UnavailableError)) throw failure
        await pause(pauseMs, undefined, { signal }).catch(() => {
          throw failure
        })
      }
    }
  }
}

function isRepeatable(method: DescMethod): boolean {
  return method.idempotency === Idempotency.IDEMPOTENT || method.idempotency === Idempotency.NO_SIDE_EFFECTS
}

async function* replay<T>(messages: readonly T[]): AsyncIterable<T> {
  yield* messages
}

async function* withDomainErrors<T>(
  messages: AsyncIterable<T>,
  service: string,
  signal?: AbortSignal,
): AsyncIterable<T> {
  try {
    yield* messages
  } catch (error) {
    throw failureOf(error, service, signal)
  }
}

/** A service that is unreachable is named; where it would be is for the log, which has the cause. */
function failureOf(error: unknown, service: string, signal: AbortSignal | undefined): DomainError {
  const failure = fromConnectError(error, signal)
  const isAway = failure instanceof UnavailableError && error instanceof ConnectError && !error.isWireError
  return isAway ? new UnavailableError(`${service} is not available now`, { cause: failure }) : failure
}
