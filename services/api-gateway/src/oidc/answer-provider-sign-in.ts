import { createContextValues } from '@connectrpc/connect'
import { DomainError, errorMessage, NotFoundError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { NodeServerRequest, NodeServerResponse } from '@wadi/rpc/node-request.ts'
import { peerAddress, peerAddressKey } from '@wadi/rpc/peer-address.ts'
import type { Logger } from '@wadi/telemetry/logger.ts'
import { auditSignIn } from '../audit/audit-log.ts'
import type { ForeignTokenVerifier } from '../authentication/authenticate.ts'
import { callerKey } from '../authentication/caller.ts'
import type { BrowserRequest } from '../authentication/same-origin.ts'
import { isOverTls } from '../authentication/token-cookies.ts'
import { browserRequest } from '../sessions/browser-request.ts'
import { isSecureBrowser, sessionCookies } from '../sessions/session-cookies.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import type { ProviderClient } from './browser-sign-in.ts'
import { clientSecretOf } from './client-secret.ts'
import { readOidcConfig } from './oidc-config.ts'
import { clearedPendingCookie, pendingCookie, pendingOf } from './pending-cookie.ts'

/** The path at which a browser begins a sign-in at the provider, as in Argo CD. */
export const signInPath = '/auth/login'

/** The path to which the provider sends it back, as in Argo CD. */
export const callbackPath = '/auth/callback'

/** The response to the browser. */
interface Answer {
  location: string
  cookies: string[]
}

/** Dependencies of the sign-in at a provider. */
interface ProviderSignIn {
  signIn: SignIn
  verify: ForeignTokenVerifier
  logger: Logger
  auditLog: Logger
  trustedProxies: number
}

/**
 * Answers `GET /auth/login`, which sends a browser to the OpenID provider, and `GET /auth/callback`, where it comes back with a
 * code: the provider's token then becomes the cookie of the browser, and `return_url` of the first is where it goes next.
 */
export function answerProviderSignIn(context: ProviderSignIn) {
  const { auditLog, logger, trustedProxies } = context
  return (request: NodeServerRequest, response: NodeServerResponse): boolean => {
    const path = request.url?.split('?', 1)[0]
    if (request.method !== 'GET' || (path !== signInPath && path !== callbackPath)) return false
    const browser = browserRequest(request)
    const values = createContextValues().set(peerAddressKey, peerAddress(request, trustedProxies))
    const answer = path === signInPath ? begin(context, browser) : end(context, browser, values)
    answer.then(
      ({ location, cookies }) => {
        if (path === callbackPath) auditSignIn(auditLog, values)
        response.writeHead(303, { location, 'set-cookie': cookies })
        response.end()
      },
      (error: unknown) => {
        if (path === callbackPath) auditSignIn(auditLog, values, error)
        const isKnown = error instanceof DomainError
        if (!isKnown) logger.error({ err: error }, 'sign-in at the provider failed')
        response.writeHead(statusOf(error), {
          'content-type': 'text/plain; charset=utf-8',
          'set-cookie': clearedPendingCookie,
        })
        response.end(`sign-in failed: ${isKnown ? errorMessage(error) : 'internal error'}\n`)
      },
    )
    return true
  }
}

async function begin({ signIn }: ProviderSignIn, browser: BrowserRequest): Promise<Answer> {
  const wanted = URL.parse(browser.url)?.searchParams.get('return_url') ?? '/'
  const { beginSignIn } = await import('./browser-sign-in.ts')
  const { address, pending } = await beginSignIn(clientFor(signIn, browser), localPath(wanted))
  return { location: address.href, cookies: [pendingCookie(pending, isSecureBrowser(signIn, browser))] }
}

async function end(
  { signIn, verify }: ProviderSignIn,
  browser: BrowserRequest,
  values: ReturnType<typeof createContextValues>,
): Promise<Answer> {
  const pending = pendingOf(browser.header.get('cookie') ?? '')
  if (!pending) {
    throw new UnauthenticatedError(
      `this browser has not begun a sign-in within the last 10 minutes; begin it again at ${signInPath}`,
    )
  }
  const client = clientFor(signIn, browser)
  const { endSignIn } = await import('./browser-sign-in.ts')
  const token = await endSignIn(client, URL.parse(browser.url)?.search ?? '', pending)
  values.set(callerKey, await verify(token, client.config.issuer, AbortSignal.timeout(30_000)))
  return {
    location: localPath(pending.returnTo),
    cookies: [clearedPendingCookie, ...sessionCookies(signIn, token, browser)],
  }
}

/** The client as `argocd-cm` describes it; browsers come back to its `url`, or where they are without one. */
function clientFor({ objects }: SignIn, browser: BrowserRequest): ProviderClient {
  const config = readOidcConfig(objects.config['oidc.config'])
  if (!config) throw new NotFoundError('no OpenID provider is configured: argocd-cm has no oidc.config')
  const here = URL.parse(browser.url)
  const scheme = isOverTls(browser) ? 'https:' : 'http:'
  const url = objects.config['url'] || `${scheme}//${here?.host ?? ''}`
  const redirectUri = `${url.replace(/\/+$/, '')}${callbackPath}`
  return { config, clientSecret: clientSecretOf(objects, config), redirectUri }
}

/** Returns a path of this server, with its query; the root for any other address, so that nobody is led elsewhere. */
function localPath(address: string): string {
  const base = 'http://here.invalid'
  const url = URL.parse(address, base)
  return url?.origin === base ? `${url.pathname}${url.search}${url.hash}`.replace(/^\/{2,}/, '/') : '/'
}

function statusOf(error: unknown): number {
  if (error instanceof NotFoundError) return 404
  if (error instanceof UnauthenticatedError) return 401
  return error instanceof DomainError ? 503 : 500
}
