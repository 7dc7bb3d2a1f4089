import { createPublicKey } from 'node:crypto'
import { newSigningKey, signedToken, type TokenKey } from '../signed-token.ts'

/** The claims of a service account's token. */
export interface AccountTokenClaims {
  readonly namespace: string
  readonly account: string
  readonly audience: string
  /** When it begins to be valid, in seconds from now; 0 by default. */
  readonly startsIn?: number
  /** In seconds; 600 by default. */
  readonly lifetime?: number
  readonly issuer?: string
}

/** Signs tokens of service accounts as an API server does. */
export class TestAccountIssuer {
  readonly issuer = 'https://kubernetes.default.svc'
  #key: TokenKey = newSigningKey()

  token({ namespace, account, audience, startsIn = 0, lifetime = 600, issuer }: AccountTokenClaims): string {
    const start = Math.floor(Date.now() / 1_000) + startsIn
    return signedToken(
      {
        iss: issuer ?? this.issuer,
        sub: `system:serviceaccount:${namespace}:${account}`,
        aud: [audience],
        iat: start,
        nbf: start,
        exp: start + lifetime,
        'kubernetes.io': { namespace, serviceaccount: { name: account } },
      },
      this.#key,
    )
  }

  /** Signs with another key from now on, and publishes that one alone. */
  changeKey(): void {
    this.#key = newSigningKey()
  }

  /** The document at a path; undefined when it is none of an issuer. */
  document(path: string): object | undefined {
    if (path === '/.well-known/openid-configuration') {
      return { issuer: this.issuer, jwks_uri: `${this.issuer}/openid/v1/jwks` }
    }
    if (path !== '/openid/v1/jwks') return undefined
    const { privateKey, kid } = this.#key
    const key = createPublicKey(privateKey).export({ format: 'jwk' })
    return { keys: [{ ...key, alg: 'ES256', use: 'sig', kid }] }
  }
}
