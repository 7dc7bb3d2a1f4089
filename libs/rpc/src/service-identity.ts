import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createContextKey } from '@connectrpc/connect'
import type { Interceptor } from '@connectrpc/connect'
import { FailedPreconditionError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { unusableDirectory } from '@wadi/errors/unusable-directory.ts'
import { JOSEError } from 'jose/errors'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import { makeFileOnce } from './durable-file.ts'
import type { ReadinessCheck } from './health-registry.ts'
import { rememberTokens } from './known-tokens.ts'
import { tokenError } from './token-error.ts'
import type { JWTPayload } from 'jose'

/** The person or token on whose behalf a service calls. */
export type EndUser = { subject: string; groups: readonly string[] }

/** The service that makes a call, and how it proved who it is: a token of the shared key, a client certificate, or a token of its ServiceAccount. */
export type CallingService = { service: string; proof: 'token' | 'certificate' | 'account' }

/**
 * The end user of a call. On a client, set it in the call's `contextValues` to pass the user on, signed; on a server,
 * read it from the handler's `context.values`. `undefined` means that the calling service acts for itself.
 */
export const endUserKey = createContextKey<EndUser | undefined>(undefined, { description: 'end user' })

/** The verified caller of an RPC, in the handler's `context.values`; `undefined` only for open methods. */
export const callingServiceKey = createContextKey<CallingService | undefined>(undefined, {
  description: 'calling service',
})

/** The identity of a process among the services, by their shared key or by its ServiceAccount. */
export type ServiceIdentity = {
  readonly service: string
  /** Adds `authorization: Bearer …` for the service that is called, and the end user of the call when there is one. */
  clientInterceptor: (audience: string) => Interceptor
  /** Returns a token that is valid for `audience` alone: with the shared key for 30 to 60 s, of an account as long as the kubelet asked for. */
  token: (audience: string) => Promise<string>
  /** Returns the value of the `wadi-user` header for `user`; with the shared key it is signed and valid for 60 s. */
  signUser: (user: EndUser) => Promise<string>
  /**
   * Verifies a token for this service; throws `UnauthenticatedError`, `PermissionDeniedError` for an account that speaks for no service, and
   * `UnavailableError` while the keys of the cluster cannot be read.
   */
  verifyToken: (token: string) => Promise<CallingService>
  /** Verifies the value of a `wadi-user` header; throws `UnauthenticatedError`. */
  verifyUser: (token: string) => Promise<EndUser>
  /**
   * Returns what signs texts for one purpose, the same for all services with this key.
   * @throws FailedPreconditionError without a key
   */
  sealFor: (purpose: string) => (text: string) => string
  /** The check that callers can be identified, for `/readyz`; always true if absent. */
  check?: ReadinessCheck
}

/** Header that carries the signed end user beside the service's own token. */
export const endUserHeader = 'wadi-user'

const issuer = 'wadi'
const lifetimeSeconds = 60
const cacheMs = 30_000
const clockToleranceSeconds = 5
const serviceTokenType = 'wadi-service+jwt'
const userTokenType = 'wadi-user+jwt'
const minKeyBytes = 32

/** Creates the identity of `service` from the key that all services share (at least 32 bytes). */
export function createServiceIdentity(options: { key: Uint8Array; service: string }): ServiceIdentity {
  const { key, service } = options
  if (key.byteLength < minKeyBytes) {
    throw new FailedPreconditionError(`the service key needs at least ${minKeyBytes} bytes`)
  }
  const cached = new Map<string, { token: Promise<string>; until: number }>()

  const token = (audience: string) => {
    const hit = cached.get(audience)
    // performance.now() does not jump with the wall clock.
    if (hit !== undefined && performance.now() < hit.until) return hit.token
    const fresh = sign(key, serviceTokenType, { sub: service, aud: audience })
    cached.set(audience, { token: fresh, until: performance.now() + cacheMs })
    return fresh
  }
  const signUser = (user: EndUser) =>
    sign(key, userTokenType, { sub: user.subject, aud: issuer, groups: user.groups })

  return {
    service,
    token,
    signUser,
    clientInterceptor: (audience) => proofOfCalls(() => token(audience), signUser),
    sealFor: (purpose) => sealOf(key, purpose),
    verifyToken: rememberTokens(async (text) => {
      const {
        sub = '',
        iat = 0,
        exp = 0,
      } = await verify(text, key, { typ: serviceTokenType, audience: service })
      return { caller: { service: sub, proof: 'token' }, until: Math.min(exp, iat + lifetimeSeconds) }
    }),
    verifyUser: async (text) => {
      const { sub, groups } = await verify(text, key, { typ: userTokenType, audience: issuer })
      return readEndUser(sub, groups)
    },
  }
}

/** Adds the token to calls, where there is one, and the end user of a call. */
export function proofOfCalls(
  token: () => Promise<string | undefined>,
  signUser: (user: EndUser) => Promise<string>,
): Interceptor {
  return (next) => async (request) => {
    const proof = await token()
    if (proof !== undefined) request.header.set('authorization', `Bearer ${proof}`)
    const user = request.contextValues.get(endUserKey)
    if (user !== undefined) request.header.set(endUserHeader, await signUser(user))
    return next(request)
  }
}

/** Returns what signs texts for one purpose with a key. No token is signed over a text with spaces. */
export function sealOf(key: Uint8Array, purpose: string): (text: string) => string {
  return (text) => createHmac('sha256', key).update(`wadi ${purpose} ${text}`).digest('base64url')
}

/** Returns the end user that a verified header names. @throws UnauthenticatedError */
export function readEndUser(subject: unknown, groups: unknown): EndUser {
  if (typeof subject !== 'string') throw new UnauthenticatedError('the end user has no subject')
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
    throw new UnauthenticatedError('the end user has no list of groups')
  }
  return { subject, groups }
}

function sign(key: Uint8Array, typ: string, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ })
    .setIssuer(issuer)
    .setIssuedAt()
    .setNotBefore('0s')
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(key)
}

async function verify(
  token: string,
  key: Uint8Array,
  expected: { typ: string; audience: string },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer,
      ...expected,
      requiredClaims: ['sub', 'iat', 'nbf', 'exp'],
      maxTokenAge: lifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
    })
    return payload
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error
    throw new UnauthenticatedError(`the service token is not valid here: ${tokenError(error, token)}`, {
      cause: error,
    })
  }
}

/**
 * Reads the shared key, or creates it with mode 0600. Processes that start together end with the same key.
 * @param mayCreate false where others cannot read the file, so that each would have a key of its own
 * @throws FailedPreconditionError for a missing key that may not be created, and for one that is too short
 */
export async function loadServiceKey(file: string, mayCreate = true): Promise<Uint8Array> {
  const existing = await findServiceKey(file)
  if (existing === undefined && !mayCreate) {
    throw new FailedPreconditionError(
      `${file} does not exist: all pods need the same service key, so none makes its own; mount a Secret with ${minKeyBytes} random bytes there (WADI_SERVICE_KEY_FILE)`,
    )
  }
  return existing ?? createKey(file)
}

/** Reads the shared key; undefined when there is no such file. @throws FailedPreconditionError for one that is too short */
export async function findServiceKey(file: string): Promise<Uint8Array | undefined> {
  const key = await readIfPresent(file)
  if (key !== undefined && key.byteLength < minKeyBytes) {
    throw new FailedPreconditionError(`${file}: a service key needs at least ${minKeyBytes} bytes`)
  }
  return key
}

/** Returns the key of the first process that created one. */
async function createKey(file: string): Promise<Buffer> {
  await makeFileOnce(file, randomBytes(minKeyBytes))
  return readFile(file)
}

async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw unusableDirectory(path.dirname(file), error)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
