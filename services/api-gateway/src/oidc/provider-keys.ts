import { UnauthenticatedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import { JOSEError, JWKSNoMatchingKey } from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { jwtVerify } from 'jose/jwt/verify'
import { tokenError } from '@wadi/rpc/token-error.ts'
import { getJson } from './get-json.ts'
import type { OidcConfig } from './oidc-config.ts'

/** Algorithms with a public key; one with a shared secret would let anybody sign who knows the client's. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const clockToleranceSeconds = 5
/** Time for which keys are used before they are read again, in milliseconds. */
const keysMs = 3_600_000
/** An unknown key id makes the keys be read again at most this often. */
const pauseMs = 30_000

/** The keys of one provider, read when they are needed. */
export class ProviderKeys {
  readonly config: OidcConfig
  #keys: Promise<JSONWebKeySet> | undefined
  #readAt = 0
  #searchedAt = Number.NEGATIVE_INFINITY

  constructor(config: OidcConfig) {
    this.config = config
  }

  /**
   * Returns the claims of a token that the provider made for one of our clients.
   * @throws UnauthenticatedError for any other token, UnavailableError when the provider does not answer
   */
  async verify(token: string): Promise<JWTPayload> {
    try {
      return await this.#verifyWith(token, await this.#current())
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw rejection(error, token)
    }
    // A provider that changed its keys signs with one that we do not know yet.
    try {
      const isDue = performance.now() - this.#searchedAt > pauseMs
      if (isDue) this.#searchedAt = performance.now()
      return await this.#verifyWith(token, await (isDue ? this.#read() : this.#current()))
    } catch (error) {
      throw rejection(error, token)
    }
  }

  async #verifyWith(token: string, keys: JSONWebKeySet): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms,
      issuer: this.config.issuer,
      audience: [...this.config.audiences],
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clockToleranceSeconds,
    })
    return payload
  }

  #current(): Promise<JSONWebKeySet> {
    return this.#keys === undefined || performance.now() - this.#readAt > keysMs ? this.#read() : this.#keys
  }

  /** Keys that were read stay valid while their provider is unreachable; without any it is asked again by the next call. */
  #read(): Promise<JSONWebKeySet> {
    const known = this.#keys
    const keys = readKeys(this.config).catch((error: unknown) => {
      this.#keys = known
      if (known === undefined) throw error
      this.#readAt = performance.now() - keysMs + pauseMs
      return known
    })
    this.#readAt = performance.now()
    this.#keys = keys
    return keys
  }
}

async function readKeys({ issuer, rootCA }: OidcConfig): Promise<JSONWebKeySet> {
  const discovery = await getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, rootCA)
  const address = isJsonObject(discovery) ? discovery['jwks_uri'] : undefined
  if (!isJsonObject(discovery) || discovery['issuer'] !== issuer || typeof address !== 'string') {
    throw new UnavailableError(`the OpenID provider at ${issuer} does not describe itself as that issuer`)
  }
  if (new URL(issuer).protocol === 'https:' && !address.startsWith('https://')) {
    throw new UnavailableError(`the OpenID provider at ${issuer} has its keys at a place without TLS`)
  }
  const keys = await getJson(address, rootCA)
  if (!isKeySet(keys)) throw new UnavailableError(`the OpenID provider at ${issuer} has no set of keys`)
  return keys
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return isJsonObject(value) && Array.isArray(value['keys']) && value['keys'].every(isJsonObject)
}

function rejection(error: unknown, token: string): unknown {
  if (!(error instanceof JOSEError)) return error
  return new UnauthenticatedError(`invalid session: ${tokenError(error, token)}`, { cause: error })
}
