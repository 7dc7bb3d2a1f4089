import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createContextKey } from '@connectrpc/connect'
import type { Interceptor } from '@connectrpc/connect'
import { FailedPreconditionError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { SignJWT, errors, jwtVerify } from 'jose'
import { tokenError } from './token-error.ts'
import type { JWTPayload } from 'jose'

/** The person or token on whose behalf a service calls. */
export type EndUser = { subject: string; groups: readonly string[] }

/** The service that makes a call, and how it proved who it is. */
export type CallingService = { service: string; proof: 'token' | 'certificate' }

/**
 * The end user of a call. On a client, set it in the call's `contextValues` to pass the user on, signed; on a server,
 * read it from the handler's `context.values`. `undefined` means that the calling service acts for itself.
 */
export const endUserKey = createContextKey<EndUser | undefined>(undefined, { description: 'end user' })

/** The verified caller of an RPC, in the handler's `context.values`; `undefined` only for open methods. */
export const callingServiceKey = createContextKey<CallingService | undefined>(undefined, {
  description: 'calling service',
})

/** Who a process is among the services that share one key. */
export type ServiceIdentity = {
  readonly service: string
  /** Adds `authorization: Bearer …` for the service that is called, and the end user of the call when there is one. */
  clientInterceptor: (audience: string) => Interceptor
  /** Returns a token that is valid for `audience` alone, for at least 30 s and at most 60 s. */
  token: (audience: string) => Promise<string>
  /** Returns the value of the `wadi-user` header for `user`, valid for 60 s. */
  signUser: (user: EndUser) => Promise<string>
  /** Verifies a token for this service; throws `UnauthenticatedError`. */
  verifyToken: (token: string) => Promise<CallingService>
  /** Verifies the value of a `wadi-user` header; throws `UnauthenticatedError`. */
  verifyUser: (token: string) => Promise<EndUser>
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
    clientInterceptor: (audience) => (next) => async (request) => {
      request.header.set('authorization', `Bearer ${await token(audience)}`)
      const user = request.contextValues.get(endUserKey)
      if (user !== undefined) request.header.set(endUserHeader, await signUser(user))
      return next(request)
    },
    verifyToken: async (text) => {
      const { sub = '' } = await verify(text, key, { typ: serviceTokenType, audience: service })
      return { service: sub, proof: 'token' }
    },
    verifyUser: async (text) => {
      const { sub = '', groups } = await verify(text, key, { typ: userTokenType, audience: issuer })
      if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
        throw new UnauthenticatedError('the end user token has no list of groups')
      }
      return { subject: sub, groups }
    },
  }
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
    if (!(error instanceof errors.JOSEError)) throw error
    throw new UnauthenticatedError(`the service token is not valid here: ${tokenError(error, token)}`, {
      cause: error,
    })
  }
}

/** Reads the shared key, or creates it with mode 0600. Processes that start together end with the same key. */
export async function loadServiceKey(file: string): Promise<Uint8Array> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const candidate = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    const existing = await readIfPresent(file)
    if (existing === undefined) {
      // The link appears with its full content or not at all, and only for the first process.
      await writeFile(candidate, randomBytes(minKeyBytes), { mode: 0o600, flag: 'wx', flush: true })
      await link(candidate, file).catch(ignoreExisting)
    }
    const key = existing ?? (await readFile(file))
    if (key.byteLength < minKeyBytes) {
      throw new FailedPreconditionError(`${file}: a service key needs at least ${minKeyBytes} bytes`)
    }
    return key
  } finally {
    await rm(candidate, { force: true })
  }
}

async function readIfPresent(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
