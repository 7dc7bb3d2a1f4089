import { setTimeout as pause } from 'node:timers/promises'
import type { DescMethod } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { ConnectError, type ContextValues, type Transport } from '@connectrpc/connect'
import { type DomainError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { fromConnectError } from './error-mapping.ts'
import type { ReplicaConnections, Route } from './replicas/replica-connections.ts'
import { peekFirst, replicaRank, type RouteKeyOf } from './replicas/route.ts'
import { isNotSent } from './service-connection.ts'
import { serviceAway } from './service-away.ts'

const minAttempts = 4
const firstPauseMs = 50

interface FailoverOptions {
  replicas: ReplicaConnections
  /** Name of the called service, for error messages. */
  service: string
  /** Deadline of calls that have none, streams of the server excepted. */
  defaultTimeoutMs: number
  /** Returns the key that chooses the replica of a call; calls without a key go round. */
  routeKeyOf?: RouteKeyOf | undefined
}

/** The route of a call, and the limits of its attempts. */
interface Attempts {
  route: Route
  /** True if it may be sent again although a replica may have received it. */
  mayRepeat: boolean
  signal: AbortSignal | undefined
  timeoutMs: number | undefined
}

/**
 * Sends each call to the replica that owns its key, or spreads it, and throws domain errors. A call that finds a replica unavailable
 * goes to the next one when it was never sent, or when its method is marked idempotent or free of side effects: at least 4 attempts,
 * within the deadline of the call. A stream moves on only before its first response, and never once the caller's own stream is read.
 */
export function createFailoverTransport(options: FailoverOptions): Transport {
  const withFailover = createFailover(options)
  const routeOf = (method: DescMethod, message: unknown, values: ContextValues | undefined): Route => ({
    key: options.routeKeyOf?.(message, method.input),
    rank: values?.get(replicaRank) ?? 0,
  })
  return {
    unary: (method, signal, timeoutMs, header, input, contextValues) =>
      withFailover(
        {
          route: routeOf(method, input, contextValues),
          mayRepeat: isRepeatable(method),
          signal,
          timeoutMs: timeoutMs ?? options.defaultTimeoutMs,
        },
        (transport, left) => transport.unary(method, signal, left, header, input, contextValues),
      ),
    stream: async (method, signal, timeoutMs, header, input, contextValues) => {
      const { first, messages } = await peekFirst(input)
      const limit =
        method.methodKind === 'client_streaming' ? (timeoutMs ?? options.defaultTimeoutMs) : timeoutMs
      const response = await withFailover(
        {
          route: routeOf(method, first, contextValues),
          mayRepeat: method.methodKind === 'server_streaming' && isRepeatable(method),
          signal,
          timeoutMs: limit,
        },
        (transport, left) => transport.stream(method, signal, left, header, messages, contextValues),
      )
      return { ...response, message: withDomainErrors(response.message, options.service, signal) }
    },
  }
}

/** Returns what makes a call with one replica after the other, until it succeeds, may not be repeated or is out of time. */
function createFailover({ replicas, service }: FailoverOptions) {
  return async <T>(
    { route, mayRepeat, signal, timeoutMs }: Attempts,
    call: (transport: Transport, timeoutMs: number | undefined) => Promise<T>,
  ): Promise<T> => {
    const deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs
    const attempts = Math.max(minAttempts, await replicas.count())
    const tried: string[] = []
    for (;;) {
      const left = timeoutMs === undefined ? undefined : Math.max(0, Math.ceil(deadline - performance.now()))
      const { address, transport } = await replicas.choose(route, tried)
      tried.push(address)
      try {
        return await call(transport, left)
      } catch (error) {
        const failure = failureOf(error, service, signal)
        const wasNotSent = isNotSent(error)
        if (wasNotSent) replicas.unreachable(address)
        const pauseMs = firstPauseMs * 2 ** (tried.length - 1) * (0.5 + Math.random())
        const isOver = tried.length >= attempts || performance.now() + pauseMs >= deadline
        const mayMoveOn = failure instanceof UnavailableError && (mayRepeat || wasNotSent)
        if (isOver || !mayMoveOn) throw failure
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
  if (!isAway) return failure
  return new UnavailableError(`${service} is not available now`, { cause: failure, code: serviceAway })
}
