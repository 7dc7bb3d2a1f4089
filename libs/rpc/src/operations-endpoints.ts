import type { HealthRegistry } from './health-registry.ts'
import type { NodeServerRequest, NodeServerResponse } from './node-request.ts'

/**
 * Answers `/healthz` (the process lives) and `/readyz` (200, with one line for each warning, or 503 with one line for each
 * reason). They are open to everybody who reaches the port. Returns whether the request was one of them.
 */
export function answerOperations(
  request: NodeServerRequest,
  response: NodeServerResponse,
  state: { health: HealthRegistry; notReady: () => string | undefined },
): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const send = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
    if (request.method === 'HEAD') response.end()
    else response.end(body)
  }
  const fail = () => send(500, 'internal error\n')
  switch (request.url?.split('?', 1)[0]) {
    case '/healthz':
      send(200, 'ok\n')
      return true
    case '/readyz':
      reasonsNotReady(state).then((reasons) => {
        const warnings = Object.entries(state.health.warnings()).map(
          ([name, text]) => `warning: ${name}: ${text}\n`,
        )
        if (reasons.length === 0) send(200, `ok\n${warnings.join('')}`)
        else send(503, `${reasons.join('\n')}\n`)
      }, fail)
      return true
    default:
      return false
  }
}

async function reasonsNotReady(state: {
  health: HealthRegistry
  notReady: () => string | undefined
}): Promise<string[]> {
  const reason = state.notReady()
  if (reason !== undefined) return [reason]
  const failures = await state.health.failures()
  return Object.entries(failures).map(([name, failure]) => `${name}: ${failure}`)
}
