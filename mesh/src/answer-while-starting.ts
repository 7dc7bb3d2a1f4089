import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { openServiceBase } from '@wadi/rpc/service-base.ts'
import type { SettingsOf } from '@wadi/rpc/service-settings.ts'
import { serveWaiting } from '@wadi/state/serve-waiting.ts'

/** The services before the gateway. */
const waitedFor = ['repo-server', 'commit-server', 'hydrator', 'appset-service']

/**
 * Answers at the gateway's address while the other services start, which takes as long as a cluster lacks something: `/healthz`, so that a
 * pod is not ended meanwhile, and `/readyz` with what each of them waits for. Without a cluster or with a free port it does nothing.
 * @param socket the address of a service, `unix:/path`
 */
export async function answerWhileStarting(
  settings: SettingsOf<typeof apiGatewaySettings>,
  socket: (service: string) => string,
): Promise<AsyncDisposable> {
  if (settings.store !== 'kubernetes' || settings.listen.endsWith(':0')) return new AsyncDisposableStack()
  const base = await openServiceBase('mesh', settings)
  const checks = waitedFor.map((service) => {
    const path = socket(service).slice('unix:'.length)
    return [service, (signal: AbortSignal) => readiness(path, signal)] as const
  })
  return serveWaiting(base, {
    mesh: () => 'not all services have started',
    ...Object.fromEntries(checks),
  })
}

/** Returns the reason why the service of a socket is not ready; undefined if it is, or is not started yet. */
async function readiness(socketPath: string, signal: AbortSignal): Promise<string | undefined> {
  const request = get({ socketPath, path: '/readyz', signal, agent: false })
  let response: IncomingMessage
  try {
    ;[response] = await once(request, 'response')
  } catch {
    return undefined
  }
  const answer = await text(response)
  return response.statusCode === 200 ? undefined : answer.trim().replaceAll('\n', '; ')
}
