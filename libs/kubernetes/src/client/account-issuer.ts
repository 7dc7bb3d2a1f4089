import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The signer of the tokens of a cluster's service accounts. */
export interface AccountIssuer {
  /** The `iss` of its tokens. */
  readonly issuer: string
  /** Its public keys, each a JSON Web Key. */
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/** @throws UnavailableError for answers that are not those of an API server */
export function readAccountIssuer(discovery: unknown, keySet: unknown): AccountIssuer {
  const issuer = isJsonObject(discovery) ? discovery['issuer'] : undefined
  const keys = isJsonObject(keySet) ? keySet['keys'] : undefined
  if (typeof issuer !== 'string' || !Array.isArray(keys)) {
    throw new UnavailableError('the Kubernetes API does not say who signs the tokens of its service accounts')
  }
  return { issuer, keys: keys.filter(isJsonObject) }
}
