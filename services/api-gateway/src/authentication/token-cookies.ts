import type { BrowserRequest } from './same-origin.ts'
import { tokenCookie, tokenCookieNames } from './request-token.ts'

/** Browsers take 4,096 bytes for a cookie with its name and attributes. */
const maxPartLength = 3_800

/** Returns `Set-Cookie` lines that keep a token in a browser until it expires, where no page can read it. */
export function tokenCookies(
  token: string,
  { isSecure, seconds }: { isSecure: boolean; seconds: number },
): string[] {
  const parts = token.match(new RegExp(`.{1,${maxPartLength}}`, 'g')) ?? []
  const attributes = `Path=/; Max-Age=${Math.floor(seconds)}; ${cookieAttributes('Strict', isSecure)}`
  return parts.map((part, index) => {
    const name = index === 0 ? tokenCookie : `${tokenCookie}-${index}`
    const count = index === 0 && parts.length > 1 ? `${parts.length}:` : ''
    return `${name}=${count}${part}; ${attributes}`
  })
}

/** Returns `Set-Cookie` lines that remove the token of a browser. */
export function clearedTokenCookies(cookieHeader: string): string[] {
  const names = new Set([tokenCookie, ...tokenCookieNames(cookieHeader)])
  return Array.from(names, (name) => `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`)
}

/** Returns what keeps a cookie from scripts, from other sites and, where there is TLS, from connections without it. */
export function cookieAttributes(sameSite: 'Strict' | 'Lax', isSecure: boolean): string {
  return `HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
}

/** Returns whether a browser reached the server over TLS, also where a proxy in front of it takes that off. */
export function isOverTls({ header, url }: BrowserRequest): boolean {
  return url.startsWith('https:') || header.get('x-forwarded-proto') === 'https'
}
