import { createHash, timingSafeEqual } from 'node:crypto'
import type { Interceptor } from '@connectrpc/connect'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { administrator, callerKey } from './caller.ts'

/**
 * Lets calls through that carry the token, as `authorization: Bearer …` or, as argocd's CLI sends it, in the metadata
 * key `token`. Health checks need none.
 */
export function requireToken(token: string): Interceptor {
  const expected = digest(token)
  return (next) => async (request) => {
    if (request.service.typeName === 'grpc.health.v1.Health') return next(request)
    const authorization = request.header.get('authorization')
    const given = /^Bearer (.+)$/iu.exec(authorization ?? '')?.[1] ?? request.header.get('token')
    if (!given) throw new UnauthenticatedError('no token: sign in or set WADI_AUTH_TOKEN')
    if (!timingSafeEqual(digest(given), expected))
      throw new UnauthenticatedError('the token is not valid here')
    request.contextValues.set(callerKey, administrator)
    return next(request)
  }
}

/** Digests have one length, so the comparison tells nothing of the token's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
