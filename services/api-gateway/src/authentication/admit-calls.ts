import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { peerAddressKey } from '@wadi/rpc/peer-address.ts'
import type { RequestGate } from '@wadi/rpc/start-server.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { auditRejection } from '../audit/audit-log.ts'
import type { CallLimits } from '../limits/call-limits.ts'
import { callerKey } from './caller.ts'

/**
 * Lets calls through whose caller is known, or that need none, and that are within the limits. A token that proves
 * nothing, whatever the reason, is treated like none, so that tokens cannot be tried out.
 */
export function admitCalls(authenticate: RequestGate, limits: CallLimits, auditLog: Logger): RequestGate {
  return async (call) => {
    const { service, method, values } = call
    const address = values.get(peerAddressKey)
    try {
      const rule = rpcRuleOf(service, method)
      if (rule === undefined || rule.access === 'services') {
        throw new PermissionDeniedError(`${service.typeName}/${method.name} is not for users`)
      }
      await authenticate(call).catch(async (error: unknown) => {
        await limits.countAnonymous(address)
        throw error
      })
      const caller = values.get(callerKey)
      if (method === SessionService.method.create) await limits.countSignIn(address)
      else if (caller && caller.issuer !== '') await limits.count(caller)
      else await limits.countAnonymous(address)
    } catch (error) {
      auditRejection(auditLog, call, error)
      throw error
    }
  }
}
