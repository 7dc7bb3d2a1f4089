import { Buffer } from 'node:buffer'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { cookieAttributes } from '../authentication/token-cookies.ts'
import type { PendingSignIn } from './browser-sign-in.ts'

const name = 'wadi.sign-in'
/** Time that a user has at the provider, in seconds. */
const seconds = 600

/** Returns the `Set-Cookie` line that keeps a sign-in in the browser; the provider's redirect brings it along. */
export function pendingCookie(pending: PendingSignIn, isSecure: boolean): string {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url')
  return `${name}=${value}; Path=/auth; Max-Age=${seconds}; ${cookieAttributes('Lax', isSecure)}`
}

/** The `Set-Cookie` line that removes it. */
export const clearedPendingCookie = `${name}=; Path=/auth; Max-Age=0; HttpOnly; SameSite=Lax`

/** Returns the sign-in that a browser brings back; undefined when it brings none that can be read. */
export function pendingOf(cookieHeader: string): PendingSignIn | undefined {
  const value = new RegExp(`(?:^|;) *${RegExp.escape(name)}=([\\w-]+)`).exec(cookieHeader)?.[1]
  if (value === undefined) return undefined
  const fields = parsed(Buffer.from(value, 'base64url').toString('utf8'))
  if (!isJsonObject(fields)) return undefined
  const { state, nonce, verifier, returnTo } = fields
  const texts = [state, nonce, verifier, returnTo]
  const isWhole = texts.every((text) => typeof text === 'string' && text !== '')
  return isWhole ? (fields as unknown as PendingSignIn) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
