import { decodeJwt } from 'jose/jwt/decode'
import type { BrowserRequest } from '../authentication/same-origin.ts'
import { isOverTls, tokenCookies } from '../authentication/token-cookies.ts'
import type { SignIn } from './sign-in.ts'

/** Returns `Set-Cookie` lines that keep the token of a session in the browser that made a request, until it expires. */
export function sessionCookies(signIn: SignIn, token: string, browser: BrowserRequest): string[] {
  const { exp = 0 } = decodeJwt(token)
  const seconds = Math.max(0, exp - signIn.now())
  return tokenCookies(token, { isSecure: isSecureBrowser(signIn, browser), seconds })
}

/** Returns whether the cookies of a browser are for TLS alone: it came over TLS, or the address for users begins with https. */
export function isSecureBrowser({ objects }: SignIn, browser: BrowserRequest): boolean {
  return isOverTls(browser) || (objects.config['url'] ?? '').startsWith('https:')
}
