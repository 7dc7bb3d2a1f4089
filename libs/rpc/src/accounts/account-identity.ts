import { FailedPreconditionError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { AccountIssuer } from '@wadi/kubernetes/client/account-issuer.ts'
import type { JWTPayload } from 'jose'
import { JOSEError, JWKSNoMatchingKey, JWTClaimValidationFailed } from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import { rememberTokens } from '../known-tokens.ts'
import { createServiceIdentity, proofOfCalls, readEndUser, sealOf } from '../service-identity.ts'
import type { EndUser, ServiceIdentity } from '../service-identity.ts'
import { tokenError } from '../token-error.ts'
import type { AccountKeys } from './account-keys.ts'
import type { AccountTokens } from './account-tokens.ts'
import type { ServiceAccounts } from './service-accounts.ts'

/** The settings by which services of a cluster identify each other. */
export interface AccountIdentityOptions {
  service: string
  tokens: AccountTokens
  accounts: ServiceAccounts
  keys: AccountKeys
  /** Proves this service where no token does, to plugins, and seals texts. */
  key?: Uint8Array | undefined
}

// What API servers sign with.
const algorithms = ['RS256', 'ES256', 'ES384', 'ES512']
const clockToleranceSeconds = 60

/** The audience of tokens for a service, which the pods of its callers ask the kubelet for. */
function audienceOf(service: string): string {
  return `wadi-${service}`
}

/**
 * Creates the identity of a service that proves itself by bound tokens of its ServiceAccount. Tokens of others are verified with the public keys of the
 * cluster. An end user is passed on as the caller names it: the token proves who says so, and the access rules decide who may.
 */
export function createAccountIdentity(options: AccountIdentityOptions): ServiceIdentity {
  const { service, tokens, accounts, keys, key } = options
  const shared = key === undefined ? undefined : createServiceIdentity({ key, service })
  const tokenFor = (audience: string) => tokens(audience) ?? (shared && (() => shared.token(audience)))

  return {
    service,
    token: async (audience) => {
      const token = await tokenFor(audience)?.()
      if (token !== undefined) return token
      throw new FailedPreconditionError(
        `there is no token for ${audience}; mount one in WADI_SERVICE_TOKENS_DIR`,
      )
    },
    signUser: async (user) => encodeUser(user),
    clientInterceptor: (audience) => {
      const token = tokenFor(audience)
      return proofOfCalls(
        async () => token?.(),
        async (user) => encodeUser(user),
      )
    },
    sealFor: (purpose) => {
      if (key !== undefined) return sealOf(key, purpose)
      throw new FailedPreconditionError(
        `${service} needs a key for its signatures: mount a Secret with 32 random bytes and name it in WADI_SERVICE_KEY_FILE`,
      )
    },
    verifyToken: rememberTokens(async (text) => {
      const { sub = '', exp: until = 0 } = await verify(text, audienceOf(service), keys)
      return { caller: { service: accounts.serviceOf(sub), proof: 'account' }, until }
    }),
    verifyUser: async (text) => decodeUser(text),
    check: async () => {
      await keys.current()
      return undefined
    },
  }
}

async function verify(token: string, audience: string, keys: AccountKeys): Promise<JWTPayload> {
  try {
    try {
      return await verifyWith(await keys.current(), token, audience)
    } catch (error) {
      const newer = isOfOtherKeys(error) ? await keys.renewed() : undefined
      if (newer === undefined) throw error
      return await verifyWith(newer, token, audience)
    }
  } catch (error) {
    if (!(error instanceof JOSEError)) throw error
    throw new UnauthenticatedError(
      `the ServiceAccount token is not valid here: ${tokenError(error, token)}`,
      { cause: error },
    )
  }
}

async function verifyWith(
  { issuer, keys }: AccountIssuer,
  token: string,
  audience: string,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), {
    algorithms,
    issuer,
    audience,
    requiredClaims: ['sub', 'iat', 'nbf', 'exp'],
    clockTolerance: clockToleranceSeconds,
  })
  return payload
}

function isOfOtherKeys(error: unknown): boolean {
  if (error instanceof JWKSNoMatchingKey) return true
  return error instanceof JWTClaimValidationFailed && error.claim === 'iss'
}

function encodeUser({ subject, groups }: EndUser): string {
  return Buffer.from(JSON.stringify({ subject, groups })).toString('base64url')
}

function decodeUser(text: string): EndUser {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    value = undefined
  }
  if (!isJsonObject(value)) throw new UnauthenticatedError('the end user of the call cannot be read')
  return readEndUser(value['subject'], value['groups'])
}
