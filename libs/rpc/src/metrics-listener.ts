import type { Logger } from '@wadi/telemetry/logger.ts'
import type { MetricsRegistry } from '@wadi/telemetry/metrics.ts'
import { defaultConnectionLimits } from './connections/connection-bounds.ts'
import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'
import { openPort } from './port-listener.ts'
import { setSecurityHeaders } from './security-headers.ts'

/** Calls at a time on one HTTP/2 connection. */
const maxConcurrentStreams = 16

/**
 * Serves `/metrics`, and nothing else, on an address of its own: numbers about what a service does are for who operates
 * it. `listen` is `host:port`, where port 0 takes a free one, or `unix:/path`.
 */
export async function listenForMetrics(
  listen: string,
  { metrics, logger }: { metrics: MetricsRegistry; logger: Logger },
): Promise<AsyncDisposable & { address: string }> {
  const onRequest = (request: NodeServerRequest, response: NodeServerResponse): void => {
    setSecurityHeaders(response, { isTls: false })
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404)
      response.end()
      return
    }
    metrics.expose().then(
      (text) => {
        response.writeHead(200, { 'content-type': metrics.contentType })
        response.end(request.method === 'HEAD' ? '' : text)
      },
      (error: unknown) => {
        logger.error({ err: error }, 'metrics cannot be shown')
        response.writeHead(500)
        response.end()
      },
    )
  }
  const limits = { ...defaultConnectionLimits, maxConcurrentStreams }
  const port = await openPort({ listen, tls: undefined, limits, isBehindProxy: false, logger, onRequest })
  logger.info({ address: port.address }, 'serving metrics')
  return {
    address: port.address,
    [Symbol.asyncDispose]: () => port.close(AbortSignal.abort(), 0),
  }
}
