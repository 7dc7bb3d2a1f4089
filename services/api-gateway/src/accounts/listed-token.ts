import { isJsonObject } from '@wadi/fields/json-object.ts'

/** An issued token, which is valid while it is listed. */
export interface ListedToken {
  /** Empty for one that Argo CD made without an id. */
  id: string
  /** In seconds since 1970. */
  issuedAt: number
  /** In seconds since 1970; 0 for never. */
  expiresAt: number
}

/**
 * Reads a list of tokens as Argo CD stores it, `[{"id": …, "iat": …, "exp": …}]`; undefined for anything else. Nothing is
 * an empty list.
 */
export function readListedTokens(list: unknown): ListedToken[] | undefined {
  if (list === null || list === undefined) return []
  if (!Array.isArray(list)) return undefined
  const tokens = list.map((item: unknown) => (isJsonObject(item) ? listedToken(item) : undefined))
  return tokens.every((token) => token !== undefined) ? tokens : undefined
}

function listedToken({ id = '', iat, exp = 0 }: Record<string, unknown>): ListedToken | undefined {
  if (typeof id !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return undefined
  return { id, issuedAt: iat, expiresAt: exp }
}

/** Returns a token in the form in which Argo CD stores it. */
export function storedToken({ id, issuedAt, expiresAt }: ListedToken): Record<string, unknown> {
  return { ...(id !== '' && { id }), iat: issuedAt, ...(expiresAt !== 0 && { exp: expiresAt }) }
}
