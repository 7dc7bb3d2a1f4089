import type { HandlerContext } from '@connectrpc/connect'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import { type Caller, callerOf } from '../authentication/caller.ts'
import { noteDecision } from './decided-by-policy.ts'

/** What decides about a call: who makes it is in its context values. */
export type Call = Pick<HandlerContext, 'values'>

/** Decides what the callers of the gateway may do, by the policy of the moment. */
export interface Authorization {
  /** Returns whether the caller may do the action to the object of a resource, for example `dev/web`. */
  allows(call: Call, resource: string, action: string, object: string): boolean
  /** @throws PermissionDeniedError that names what was asked for, as Argo CD does */
  require(call: Call, resource: string, action: string, object: string): void
  /** Refuses what the policy may allow, with the message of `require`, so that it does not reveal the reason. */
  refuse(call: Call, resource: string, action: string, object: string): never
}

/** Makes the decisions of one gateway. */
export function createAuthorization(policy: Pick<LivePolicy, 'enforcer'>): Authorization {
  const allows: Authorization['allows'] = (call, resource, action, object) => {
    noteDecision(call.values)
    return policy.enforcer.allows(callerOf(call).subject, resource, action, object)
  }
  const refuse: Authorization['refuse'] = (call, resource, action, object) => {
    throw new PermissionDeniedError(rejection(callerOf(call), resource, action, object))
  }
  return {
    allows,
    require(call, resource, action, object) {
      if (!allows(call, resource, action, object)) refuse(call, resource, action, object)
    },
    refuse,
  }
}

function rejection({ username, issuedAt }: Caller, resource: string, action: string, object: string): string {
  const issued =
    issuedAt === 0 ? '' : `, iat: ${new Date(issuedAt * 1_000).toISOString().replace('.000Z', 'Z')}`
  return `permission denied: ${resource}, ${action}, ${object}, sub: ${username}${issued}`
}
