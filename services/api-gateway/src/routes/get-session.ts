import type { HandlerContext } from '@connectrpc/connect'
import type { GetSessionRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/sign_in_service_pb.ts'
import { sessionTokenKey } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { sessionEnd } from '../sessions/sign-in.ts'

/** Returns who calls and when that ends. */
export function getSession({ signIn }: Pick<GatewayContext, 'signIn'>) {
  return (_request: GetSessionRequest, { values }: Pick<HandlerContext, 'values'>) => {
    const caller = values.get(callerKey)
    if (!caller || caller.issuer === '') return {}
    const owner = values.get(sessionTokenKey)?.owner
    const { username, issuer, subject, expiresAt } = caller
    return {
      signedIn: true,
      username,
      issuer,
      groups: [...subject.groups],
      tokenExpiresAt: timeText(expiresAt),
      endsAt: timeText(owner?.kind === 'session' ? sessionEnd(signIn, owner.session) : expiresAt),
    }
  }
}

function timeText(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
}
