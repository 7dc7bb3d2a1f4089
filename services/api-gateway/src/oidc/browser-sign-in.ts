import { UnauthenticatedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import * as openid from 'openid-client'
import type { OidcConfig } from './oidc-config.ts'
import { askProvider } from './provider-request.ts'

/** The state that a browser keeps while its user is at the provider. */
export interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
  /** The path that the browser goes to afterwards. */
  returnTo: string
}

/** A client of a provider: authorization code with PKCE, with or without a secret. */
export interface ProviderClient {
  config: OidcConfig
  /** Empty for none. */
  clientSecret: string
  /** The address to which the provider sends browsers back. */
  redirectUri: string
}

/**
 * Begins a sign-in: returns where the browser goes, and what it has to bring back.
 * @throws UnavailableError when the provider does not answer as one
 */
export async function beginSignIn(
  client: ProviderClient,
  returnTo: string,
): Promise<{ address: URL; pending: PendingSignIn }> {
  const pending = {
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    verifier: openid.randomPKCECodeVerifier(),
    returnTo,
  }
  const { requestedScopes, requestedClaims } = client.config
  const claims = Object.fromEntries([...requestedClaims].map(([name, essential]) => [name, { essential }]))
  const address = openid.buildAuthorizationUrl(await discover(client), {
    redirect_uri: client.redirectUri,
    scope: [...new Set(['openid', ...requestedScopes])].join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(requestedClaims.size > 0 && { claims: JSON.stringify({ id_token: claims }) }),
  })
  return { address, pending }
}

/**
 * Ends a sign-in: exchanges the code that the browser brings for an ID token.
 * @param query of the address that the provider sent the browser back to
 * @throws UnauthenticatedError when the provider or the check of its answer refuses it, UnavailableError as above
 */
export async function endSignIn(
  client: ProviderClient,
  query: string,
  { state, nonce, verifier }: PendingSignIn,
): Promise<string> {
  const provider = await discover(client)
  try {
    const tokens = await openid.authorizationCodeGrant(provider, new URL(`${client.redirectUri}${query}`), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    return tokens.id_token ?? ''
  } catch (error) {
    throw new UnauthenticatedError(`the OpenID provider rejected the sign-in: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

async function discover({ config, clientSecret }: ProviderClient): Promise<openid.Configuration> {
  const { issuer, clientID, rootCA } = config
  const authentication = clientSecret === '' ? openid.None() : openid.ClientSecretPost(clientSecret)
  try {
    return await openid.discovery(new URL(issuer), clientID, undefined, authentication, {
      [openid.customFetch]: providerFetch(rootCA),
      // The configuration takes http for this machine alone.
      execute: issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [],
    })
  } catch (error) {
    throw new UnavailableError(`the OpenID provider at ${issuer} cannot be used: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** Asks a provider with our bounds, trusting the authority of its configuration. */
function providerFetch(rootCA: string): openid.CustomFetch {
  return async (url, { method, headers, body }) => {
    const text =
      body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined
    const asked = { url, method, headers, rootCA, ...(text !== undefined && { body: text }) }
    const answer = await askProvider(asked)
    const contentType = answer.headers['content-type']
    return new Response(answer.text, {
      status: answer.status,
      ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
    })
  }
}

/** Returns the error that a provider or the connection to it reported, at most 500 characters. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500)
  const reported = ['error', 'error_description'].flatMap((key) => {
    const text: unknown = Reflect.get(error, key)
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const text = reported.length > 0 ? reported.join(': ') : `${error.message}${cause}`
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)
}
