import { createContextKey } from '@connectrpc/connect'
import type { NodeServerRequest } from './node-request.ts'

/** The address that the connection of a call comes from; `unix` for a unix socket. */
export const peerAddressKey = createContextKey<string>('unix', { description: 'peer address' })

/**
 * Returns where a request comes from. Behind `trustedProxies` proxies that each add the address of their peer to
 * `X-Forwarded-For` it is the one that the outermost of them saw: what is left of it may be forged.
 */
export function peerAddress(request: NodeServerRequest, trustedProxies: number): string {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket
  const direct = socket?.remoteAddress ?? 'unix'
  if (trustedProxies === 0) return direct
  const header = request.headers['x-forwarded-for']
  const hops = [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
  return hops.at(-trustedProxies) ?? direct
}
