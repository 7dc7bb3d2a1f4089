import type { TLSSocket } from 'node:tls'
import { createContextKey } from '@connectrpc/connect'
import type { HandlerContext } from '@connectrpc/connect'
import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest } from './node-request.ts'
import { callingServiceKey, endUserHeader, endUserKey } from './service-identity.ts'
import type { CallingService, ServiceIdentity } from './service-identity.ts'

/** The name that the client certificate of a call proves, in the call's context values. */
export const certifiedServiceKey = createContextKey<string | undefined>(undefined, {
  description: 'service named by the client certificate',
})

/** Services whose client certificates count as identity: SAN (DNS or URI) or common name `wadi-<service>`. */
const certifiedServices: readonly string[] = [
  'api-gateway',
  'appset-service',
  'cmp-server',
  'commit-server',
  'hydrator',
  'repo-server',
]

// Probes ask before they can know a key; the answer is one word.
const openMethod = 'grpc.health.v1.Health/Check'

/**
 * Verifies that a call comes from a service, by token or by client certificate, and leaves who it is in the context
 * values. Throws `UnauthenticatedError` otherwise, over loopback and unix sockets just the same.
 */
export async function verifyServiceIdentity(
  context: HandlerContext,
  identity: ServiceIdentity,
): Promise<void> {
  if (`${context.service.typeName}/${context.method.name}` === openMethod) return
  context.values.set(callingServiceKey, await callingService(context, identity))
  const user = context.requestHeader.get(endUserHeader)
  if (user !== null) context.values.set(endUserKey, await identity.verifyUser(user))
}

async function callingService(context: HandlerContext, identity: ServiceIdentity): Promise<CallingService> {
  const authorization = context.requestHeader.get('authorization')
  if (authorization !== null) {
    const token = /^Bearer ([\w.-]+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw new UnauthenticatedError('the authorization header is no bearer token')
    return identity.verifyToken(token)
  }
  const service = context.values.get(certifiedServiceKey)
  if (service !== undefined) return { service, proof: 'certificate' }
  throw new UnauthenticatedError(
    'the call carries neither a service token nor a client certificate of a service',
  )
}

/** Returns the service that the verified client certificate of the request's connection names. */
export function certifiedService(request: NodeServerRequest): string | undefined {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket
  if (socket === undefined || !isTls(socket) || !socket.authorized) return undefined
  const { subject, subjectaltname = '' } = socket.getPeerCertificate()
  const names = subjectaltname.split(', ').map((name) => /^(?:DNS:|URI:(?:\w+:\/\/)?)(.+)$/.exec(name)?.[1])
  const commonNames = [subject?.CN ?? []].flat()
  return certifiedServices.find((service) => [...names, ...commonNames].includes(`wadi-${service}`))
}

function isTls(socket: object): socket is TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true
}
