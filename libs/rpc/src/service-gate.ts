import type { TLSSocket } from 'node:tls'
import { createContextKey } from '@connectrpc/connect'
import type { HandlerContext } from '@connectrpc/connect'
import { PermissionDeniedError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { RpcRule } from './access/rpc-rule.ts'
import { rpcRuleOf } from './access/rpc-rules.ts'
import type { NodeServerRequest } from './node-request.ts'
import { callingServiceKey, endUserHeader, endUserKey } from './service-identity.ts'
import type { CallingService, ServiceIdentity } from './service-identity.ts'
import { serviceNames } from './service-names.ts'

/** The name that the client certificate of a call proves, in the call's context values. */
export const certifiedServiceKey = createContextKey<string | undefined>(undefined, {
  description: 'service named by the client certificate',
})

/**
 * Verifies that a call comes from a service, by token or by client certificate, and leaves who it is in the context
 * values; open methods take everybody. It is the same over loopback and unix sockets.
 * @throws UnauthenticatedError for an unknown caller, PermissionDeniedError for a service that the method is not for or that
 *   names no end user where one is needed
 */
export async function verifyServiceIdentity(
  context: HandlerContext,
  identity: ServiceIdentity,
): Promise<void> {
  const rule = rpcRuleOf(context.service, context.method)
  if (rule?.access === 'open') return
  const caller = await callingService(context, identity)
  context.values.set(callingServiceKey, caller)
  const user = context.requestHeader.get(endUserHeader)
  if (user !== null) context.values.set(endUserKey, await identity.verifyUser(user))
  requireRule(context, callersAt(identity.service, rule), caller.service)
}

/** The permitted callers at one service of the mesh. */
interface PermittedCallers {
  callers: readonly string[]
  /** True if they must name an end user, whose rights the handler checks. */
  forUser: boolean
}

function callersAt(service: string, rule: RpcRule | undefined): PermittedCallers | 'every service' {
  if (rule?.access === 'published') return 'every service'
  if (rule?.access === 'services') return { callers: rule.callers, forUser: false }
  if (rule?.access === 'passed on' && rule.to === service) return { callers: [rule.from], forUser: true }
  return { callers: [], forUser: false }
}

function requireRule(
  { service, method, values }: HandlerContext,
  permitted: PermittedCallers | 'every service',
  caller: string,
) {
  if (permitted === 'every service') return
  const name = `${service.typeName}/${method.name}`
  if (!permitted.callers.includes(caller)) throw new PermissionDeniedError(`${name} is not for ${caller}`)
  if (permitted.forUser && values.get(endUserKey) === undefined) {
    throw new PermissionDeniedError(`${name} is called on behalf of an end user; ${caller} names none`)
  }
}

async function callingService(context: HandlerContext, identity: ServiceIdentity): Promise<CallingService> {
  const authorization = context.requestHeader.get('authorization')
  if (authorization !== null) {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw new UnauthenticatedError('the authorization header is not a bearer token')
    return identity.verifyToken(token)
  }
  const service = context.values.get(certifiedServiceKey)
  if (service !== undefined) return { service, proof: 'certificate' }
  throw new UnauthenticatedError(
    'the call carries neither a service token nor a client certificate of a service',
  )
}

/**
 * Returns the service that the verified client certificate of the request's connection names: SAN (DNS or URI) or common name
 * `wadi-<service>`.
 */
export function certifiedService(request: NodeServerRequest): string | undefined {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket
  if (socket === undefined || !isTls(socket) || !socket.authorized) return undefined
  const { subject, subjectaltname = '' } = socket.getPeerCertificate()
  const names = subjectaltname.split(', ').map((name) => /^(?:DNS:|URI:(?:\w+:\/\/)?)(.+)$/.exec(name)?.[1])
  const commonNames = [subject?.CN ?? []].flat()
  return serviceNames.find((service) => [...names, ...commonNames].includes(`wadi-${service}`))
}

function isTls(socket: object): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true
}
