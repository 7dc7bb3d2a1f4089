import { EventEmitter } from 'node:events'
import type { ServiceImpl } from '@connectrpc/connect'
import { NotFoundError, errorMessage } from '@wadi/errors/domain-error.ts'
import type { Health } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'
import { HealthCheckResponse_ServingStatus as ServingStatus } from '@wadi/protocol/gen/grpc/health/v1/health_pb.ts'

/** Returns what keeps the service from taking calls, or `undefined`; a thrown error stands for its message. */
export type ReadinessCheck = (signal: AbortSignal) => string | undefined | Promise<string | undefined>

/** Returns what an operator should fix although the service takes calls, or `undefined`. */
export type Warning = () => string | undefined

/** The states that a server reports to probes and load balancers. */
export type HealthRegistry = {
  /** Sets the status of one service, by its full name; the empty name is the server as a whole. */
  setServing: (service: string, serving: boolean) => void
  /** Runs the readiness checks side by side, at most 5 s; returns the text of each that fails, by its name. */
  failures: () => Promise<Record<string, string>>
  /** Returns the problems that an operator should fix although the service takes calls, by name. */
  warnings: () => Record<string, string>
  /** Reports all services as not serving and ends the watches; there is no way back. */
  retire: () => void
  /** The RPCs of `grpc.health.v1.Health`. */
  implementation: ServiceImpl<typeof Health>
}

const checkTimeoutMs = 5_000

/** Creates the registry of one server: everything in `services` serves until it is set otherwise. */
export function createHealthRegistry(
  options: {
    services?: readonly string[]
    checks?: Readonly<Record<string, ReadinessCheck>>
    warnings?: Readonly<Record<string, Warning>>
  } = {},
): HealthRegistry {
  const statuses = new Map<string, ServingStatus>(
    ['', ...(options.services ?? [])].map((name) => [name, ServingStatus.SERVING] as const),
  )
  const changes = new EventEmitter().setMaxListeners(0)
  const retired = new AbortController()

  const setServing = (service: string, serving: boolean) => {
    if (retired.signal.aborted) return
    statuses.set(service, serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
    changes.emit('change')
  }

  return {
    setServing,
    failures: () => runChecks(options.checks ?? {}),
    warnings: () => {
      const texts = Object.entries(options.warnings ?? {}).map(([name, warning]) => [name, warning() ?? ''])
      return Object.fromEntries(texts.filter(([, text]) => text !== ''))
    },
    retire: () => {
      for (const name of statuses.keys()) setServing(name, false)
      retired.abort()
    },
    implementation: {
      check: ({ service }) => {
        const status = statuses.get(service)
        if (status === undefined) throw new NotFoundError(`service "${service}" is unknown`)
        return { status }
      },
      list: () => ({
        statuses: Object.fromEntries([...statuses].map(([name, status]) => [name, { status }])),
      }),
      async *watch({ service }, context) {
        const current = () => statuses.get(service) ?? ServingStatus.SERVICE_UNKNOWN
        const signal = AbortSignal.any([context.signal, retired.signal])
        let sent = current()
        yield { status: sent }
        while (!signal.aborted) {
          await nextChange(changes, signal)
          if (current() === sent) continue
          sent = current()
          yield { status: sent }
        }
      },
    },
  }
}

async function nextChange(changes: EventEmitter, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const settle = () => resolve()
  changes.once('change', settle)
  signal.addEventListener('abort', settle, { once: true })
  await promise
  changes.off('change', settle)
  signal.removeEventListener('abort', settle)
}

async function runChecks(checks: Readonly<Record<string, ReadinessCheck>>): Promise<Record<string, string>> {
  const signal = AbortSignal.timeout(checkTimeoutMs)
  const failures: Record<string, string> = {}
  const late = `no answer within ${checkTimeoutMs} ms`
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const failure = await Promise.race([textOf(check, signal), whenAborted(signal, late)])
      if (failure !== undefined) failures[name] = failure
    }),
  )
  return failures
}

async function textOf(check: ReadinessCheck, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await check(signal)
  } catch (error) {
    return errorMessage(error)
  }
}

function whenAborted<T>(signal: AbortSignal, value: T): Promise<T> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(value), { once: true }))
}
