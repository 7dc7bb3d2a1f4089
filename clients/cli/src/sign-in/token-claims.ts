import { isJsonObject } from '@wadi/fields/json-object.ts'
import { listAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'

/** The unverified claims of a token. */
export interface TokenClaims {
  issuer: string
  subject: string
  email: string
  name: string
  /** The OpenID client that the token was made for; empty when it does not say. */
  clientID: string
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

/** Issuer of the server's own tokens, as in Argo CD. */
export const serverIssuer = 'argocd'

const maxTokenLength = 64 * 1024

/** Reads the claims of a JSON web token; undefined for a text that is none. */
export function tokenClaims(token: string): TokenClaims | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token.slice(0, maxTokenLength)) ?? []
  if (payload === undefined) return undefined
  const claims = jsonOf(payload)
  if (!isJsonObject(claims)) return undefined
  const audiences = listAt(claims, 'aud').filter((audience) => typeof audience === 'string')
  const expiresAt = valueAt(claims, 'exp')
  return {
    issuer: textAt(claims, 'iss'),
    subject: textAt(claims, 'sub'),
    email: textAt(claims, 'email'),
    name: textAt(claims, 'name'),
    clientID: textAt(claims, 'azp') || textAt(claims, 'aud') || (audiences[0] ?? ''),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : 0,
  }
}

/** Returns what people call the owner of a token: the account, else the address, the name or the subject. */
export function ownerName({ issuer, subject, email, name }: TokenClaims): string {
  if (issuer === serverIssuer) return subject.replace(/:(?:login|apiKey)$/, '')
  return email || name || subject
}

/** Returns whether a token has expired, or will within 10 seconds. */
export function hasExpired(token: string): boolean {
  const { expiresAt = 0 } = tokenClaims(token) ?? {}
  return expiresAt !== 0 && expiresAt <= Date.now() / 1_000 + 10
}

function jsonOf(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
