import { createHealthRegistry, type ReadinessCheck } from '@wadi/rpc/health-registry.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import { startServer } from '@wadi/rpc/start-server.ts'

/**
 * Answers `/healthz` at the address of a service, and `/readyz` with what it waits for, until it is disposed. Calls are unavailable, so that
 * they go to another replica.
 */
export async function serveWaiting(
  base: ServiceBase,
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<AsyncDisposable> {
  return startServer({
    name: base.name,
    listen: base.settings.listen,
    services: [],
    routes: () => undefined,
    httpRoutes: (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(503, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 'unavailable', message: `${base.name} is not ready` }))
      return true
    },
    health: createHealthRegistry({ checks }),
    tls: base.tls,
    metrics: base.metrics,
    // To people it begins and ends with the service itself.
    logger: base.logger.isLevelEnabled('debug') ? base.logger : base.logger.child({}, { level: 'warn' }),
    drainTimeoutMs: 0,
    authenticate: 'service',
    identity: base.identity,
  })
}
