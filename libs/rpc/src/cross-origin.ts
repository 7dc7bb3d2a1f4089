import { cors } from '@connectrpc/connect'
import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'

/** Time that browsers may remember an answer, in seconds; none remembers longer than Chromium's two hours. */
const rememberedSeconds = 7_200

/**
 * Lets pages of the given origins call the server from a browser, without cookies; without origins nothing is allowed
 * and nothing is sent. Answers preflight requests of those origins and returns whether it did.
 */
export function answerCrossOrigin(
  request: NodeServerRequest,
  response: NodeServerResponse,
  origins: readonly string[],
): boolean {
  const { origin } = request.headers
  if (origin === undefined || !origins.includes(origin)) return false
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', [...cors.exposedHeaders, 'renew-token'].join(', '))
  const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
  if (!isPreflight) return false
  const headers = [...cors.allowedHeaders, 'authorization', 'token']
  response.writeHead(204, {
    'access-control-allow-methods': cors.allowedMethods.join(', '),
    'access-control-allow-headers': headers.join(', '),
    'access-control-max-age': String(rememberedSeconds),
  })
  response.end()
  return true
}
