import { appendFileSync } from 'node:fs'
import type { ContextValues, HandlerContext, Interceptor } from '@connectrpc/connect'
import { codeToString } from '@connectrpc/connect/protocol-connect'
import { SessionService } from '@wadi/protocol/gen/argocd/session/session_pb.ts'
import { rpcRuleOf } from '@wadi/rpc/access/rpc-rules.ts'
import { toConnectError } from '@wadi/rpc/error-mapping.ts'
import { peerAddressKey } from '@wadi/rpc/peer-address.ts'
import { createLogger, type Logger } from '@wadi/telemetry/logger.ts'
import { callerKey } from '../authentication/caller.ts'
import { auditedObject } from './audited-object.ts'

/**
 * Opens the audit log, which is whole, however quiet the other log is.
 * @param file is added to, and made for its owner alone; undefined for standard error. It may be moved away at any time.
 */
export function openAuditLog(file: string | undefined): Logger {
  const write = file === undefined ? undefined : (line: string) => appendFileSync(file, line, { mode: 0o600 })
  return createLogger({ service: 'api-gateway', level: 'info', format: 'json', ...(write && { write }) })
}

/** A call with its caller, origin and method. */
type AuditedCall = Pick<HandlerContext, 'service' | 'method' | 'values'>

/**
 * Writes a line for every call that changes something: who made it from where, what it was about, whether it was allowed
 * and how it ended.
 */
export function auditWrites(log: Logger): Interceptor {
  return (next) => async (request) => {
    const { service, method, contextValues: values } = request
    if (rpcRuleOf(service, method)?.writes !== true) return next(request)
    const about = request.stream ? {} : auditedObject(request.message)
    try {
      const response = await next(request)
      record(log, { service, method, values }, about)
      return response
    } catch (error) {
      record(log, { service, method, values }, about, error)
      throw error
    }
  }
}

/** Writes the line of a call that is refused before its body is read. */
export function auditRejection(log: Logger, call: AuditedCall, error: unknown): void {
  if (rpcRuleOf(call.service, call.method)?.writes === true) record(log, call, {}, error)
}

/** Writes the line of a sign-in that came past the RPCs, as that of the RPC that does the same. */
export function auditSignIn(log: Logger, values: ContextValues, error?: unknown): void {
  record(log, { service: SessionService, method: SessionService.method.create, values }, {}, error)
}

/** Writes the line of a sign-out that came past the RPCs, as that of the RPC that does the same. */
export function auditSignOut(log: Logger, values: ContextValues, error?: unknown): void {
  record(log, { service: SessionService, method: SessionService.method.delete, values }, {}, error)
}

function record(
  log: Logger,
  { service, method, values }: AuditedCall,
  about: Record<string, unknown>,
  error?: unknown,
): void {
  const caller = values.get(callerKey)
  const failure = error === undefined ? undefined : toConnectError(error)
  const code = failure === undefined ? 'ok' : codeToString(failure.code)
  const audit = {
    user: caller?.username ?? '',
    subject: caller?.subject.sub ?? '',
    ...(caller && { groups: caller.subject.groups, issuer: caller.issuer, tokenId: caller.tokenId }),
    address: values.get(peerAddressKey),
    method: `${service.typeName}/${method.name}`,
    about,
    allowed: code !== 'permission_denied' && code !== 'unauthenticated',
    code,
    ...(failure && { reason: failure.rawMessage }),
  }
  log.info({ audit }, 'audit')
}
