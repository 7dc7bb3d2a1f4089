import type { Interceptor } from '@connectrpc/connect'
import { serverInterceptors } from '@wadi/rpc/interceptors.ts'
import { createLogger, type Logger } from '@wadi/telemetry/logger.ts'
import { createMetrics, type MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import type { Actor } from '../virtual/scheduler.ts'
import { logToWorld } from '../virtual/virtual-node.ts'
import type { Listener } from './rpc-link.ts'
import { ServedRoutes } from './served-routes.ts'

/** The parts of a service base that a process needs. */
export interface ProcessBase {
  readonly actor: Actor
  readonly logger: Logger
  readonly metrics: MetricsRegistry
}

/** Logs and metrics by service: nothing depends on them, so all processes of all worlds share them. */
const shared = new Map<string, Pick<ProcessBase, 'logger' | 'metrics'>>()

/** Returns the base of a process that has just started. */
export function processBase(actor: Actor, service: string): ProcessBase {
  const known = shared.get(service) ?? {
    logger: createLogger({ service, level: 'warn', format: 'json', write: logToWorld }),
    metrics: onceByName(createMetrics(service)),
  }
  shared.set(service, known)
  return { actor, ...known }
}

/** A registry that gives the metric that it has to whoever wants one of that name again. */
function onceByName(metrics: MetricsRegistry): MetricsRegistry {
  const known = new Map<string, unknown>()
  const once = <Make extends (name: string, ...rest: never[]) => unknown>(make: Make): Make => {
    const get = (name: string, ...rest: never[]): unknown => {
      if (!known.has(name)) known.set(name, make(name, ...rest))
      return known.get(name)
    }
    return get as Make
  }
  const { counter, gauge, histogram } = metrics
  return { ...metrics, counter: once(counter), gauge: once(gauge), histogram: once(histogram) }
}

const timeouts = { defaultTimeoutMs: 120_000, maxTimeoutMs: 30 * 60_000 }

/** Returns a listener that serves the RPCs of a process as `startServer` does, without a socket. */
export function listenerOf(
  { actor, logger, metrics }: ProcessBase,
  gone: AbortSignal,
  addTo: (routes: ServedRoutes) => void,
  own: readonly Interceptor[] = [],
): Listener {
  const routes = new ServedRoutes(serverInterceptors({ name: actor.name, logger, metrics, timeouts, own }))
  addTo(routes)
  return { actor, gone, routes }
}
