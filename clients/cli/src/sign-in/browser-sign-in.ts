import { once } from 'node:events'
import type { OIDCConfig } from '@wadi/protocol/gen/argocd/cluster/settings_pb.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { withoutTerminalControls } from '../output/printable.ts'
import { listenForCallback } from './callback-listener.ts'
import { openBrowser } from './open-browser.ts'
import { discoverProvider, reasonOf, safeAddress } from './openid-provider.ts'
import type { SignedIn } from './openid-provider.ts'

/** Options of a sign-in in the browser. */
export interface BrowserOptions {
  /** The port on this machine to which the browser comes back; 0 for any. */
  port: number
  /** True to open it; its address is printed in any case. */
  launch: boolean
}

const maxWaitMs = 10 * 60_000

/**
 * Signs in at an OpenID provider: authorization code with PKCE, in the user's browser.
 * @throws CommandFailure when the provider refuses or nobody comes back within 10 minutes
 */
export async function signInByBrowser(
  session: CommandSession,
  config: OIDCConfig,
  { port, launch }: BrowserOptions,
): Promise<SignedIn> {
  const provider = await discoverProvider(config.issuer, config.cliClientID || config.clientID)
  const openid = await import('openid-client')
  const state = openid.randomState()
  const nonce = openid.randomNonce()
  const verifier = openid.randomPKCECodeVerifier()
  await using listener = await listenForCallback(port, state)
  const isOffline = provider.serverMetadata().scopes_supported?.includes('offline_access') === true
  const address = openid.buildAuthorizationUrl(provider, {
    redirect_uri: listener.redirectAddress,
    scope: [...new Set(['openid', ...config.scopes, ...(isOffline ? ['offline_access'] : [])])].join(' '),
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...claimsParameter(config),
    // Without it a provider ignores the wish for a refresh token (OpenID Connect Core 1.0, section 11).
    ...(isOffline && { prompt: 'consent' }),
  })
  if (!safeAddress(address.href)) {
    throw new CommandFailure(
      `the OpenID provider at ${config.issuer} wants browsers to go to an unsafe address`,
    )
  }
  process.stdout.write(`Sign in with a browser at:\n${withoutTerminalControls(address.href)}\n`)
  if (launch) openBrowser(address, session.environment)
  const callback = await arrival(listener.callback, session.signal)
  try {
    const tokens = await openid.authorizationCodeGrant(provider, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    return { token: tokens.id_token ?? '', refreshToken: tokens.refresh_token ?? '' }
  } catch (error) {
    throw new CommandFailure(`the OpenID provider rejected the sign-in: ${reasonOf(error)}`, undefined, {
      cause: error,
    })
  }
}

/** Asks for claims as the server wants them (OpenID Connect Core 1.0, section 5.5). */
function claimsParameter({ idTokenClaims }: OIDCConfig): { claims?: string } {
  const wanted = Object.entries(idTokenClaims).map(([name, { value, values, essential }]) => [
    name,
    { ...(essential && { essential }), ...(value !== '' && { value }), ...(values.length > 0 && { values }) },
  ])
  return wanted.length === 0 ? {} : { claims: JSON.stringify({ id_token: Object.fromEntries(wanted) }) }
}

async function arrival(callback: Promise<URL>, signal: AbortSignal): Promise<URL> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
  const given = await Promise.race([callback, once(end, 'abort')])
  if (given instanceof URL) return given
  throw new CommandFailure('the browser did not return within 10 minutes')
}
