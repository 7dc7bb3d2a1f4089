import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

/** A key that signs JSON Web Tokens by ES256. */
export interface TokenKey {
  readonly privateKey: KeyObject
  readonly kid: string
}

export function newSigningKey(): TokenKey {
  return { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, kid: randomUUID() }
}

/** Returns a token with these claims alone. */
export function signedToken(claims: Record<string, unknown>, { privateKey, kid }: TokenKey): string {
  const parts = [{ alg: 'ES256', kid }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = sign('sha256', Buffer.from(parts.join('.')), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return [...parts, signature.toString('base64url')].join('.')
}
