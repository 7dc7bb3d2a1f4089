import type { NodeServerRequest } from '@wadi/rpc/node-request.ts'
import type { BrowserRequest } from '../authentication/same-origin.ts'

/** Returns a request of Node.js in the form of a call. */
export function browserRequest(request: NodeServerRequest): BrowserRequest {
  const { headers, socket } = request
  const host = 'authority' in request ? request.authority : (headers.host ?? '')
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
  const get = (name: string): string | null => {
    const value = headers[name]
    return (Array.isArray(value) ? value[0] : value) ?? null
  }
  return { header: { get }, url: `${scheme}://${host}${request.url ?? '/'}` }
}
