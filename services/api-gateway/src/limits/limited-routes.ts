import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { peerAddress } from '@wadi/rpc/peer-address.ts'
import { callbackPath, signInPath } from '../oidc/answer-provider-sign-in.ts'
import type { CallLimits } from './call-limits.ts'

/** Answers a request that is no RPC, or returns false. */
export type HttpRoute = (request: NodeServerRequest, response: NodeServerResponse) => boolean

const paths = ['/api/webhook', '/auth/logout', signInPath, callbackPath]

/** The paths beside the RPCs, which are limited like anonymous calls: 429 above the limit. */
export function limitedRoutes(
  routes: readonly HttpRoute[],
  limits: CallLimits,
  trustedProxies: number,
): HttpRoute {
  return (request, response) => {
    if (!paths.includes(request.url?.split('?', 1)[0] ?? '')) return false
    const refuse = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(`${text}\n`)
    }
    limits.countAnonymous(peerAddress(request, trustedProxies)).then(
      () => {
        if (!routes.some((route) => route(request, response))) refuse(404, 'not found')
      },
      (error: unknown) => {
        if (error instanceof ResourceExhaustedError) refuse(429, error.message)
        else refuse(500, 'internal error')
      },
    )
    return true
  }
}
