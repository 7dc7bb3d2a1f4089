import { type ConnectRouter, createRouterTransport } from '@connectrpc/connect'
import { serverInterceptors } from '@wadi/rpc/interceptors.ts'
import { createLogger, type Logger } from '@wadi/telemetry/logger.ts'
import { createMetrics, type MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { Actor } from '../virtual/scheduler.ts'
import type { Listener } from './rpc-link.ts'

/** The parts of a service base that a process needs. */
export interface ProcessBase {
  readonly actor: Actor
  readonly logger: Logger
  readonly metrics: MetricsRegistry
}

/** Returns the base of a process that has just started. @param write takes the lines of its log */
export function processBase(actor: Actor, service: string, write: (line: string) => void): ProcessBase {
  const logger = createLogger({ service, level: 'warn', format: 'json', write })
  return { actor, logger, metrics: createMetrics(service) }
}

const timeouts = { defaultTimeoutMs: 120_000, maxTimeoutMs: 30 * 60_000 }

/** Serves the RPCs of a process as `startServer` does, without a socket. */
export function listenerOf(
  { actor, logger, metrics }: ProcessBase,
  gone: AbortSignal,
  routes: (router: ConnectRouter) => void,
): Listener {
  const interceptors = serverInterceptors({ name: actor.name, logger, metrics, timeouts, own: [] })
  return { actor, gone, transport: createRouterTransport(routes, { router: { interceptors } }) }
}
