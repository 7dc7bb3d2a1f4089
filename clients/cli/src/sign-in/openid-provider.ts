import type { Configuration } from 'openid-client'
import { CommandFailure } from '../command-line/command-failure.ts'
import { printable } from '../output/printable.ts'
import { tokenClaims } from './token-claims.ts'

/** The result of a sign-in. */
export interface SignedIn {
  token: string
  /** Empty when there is none. */
  refreshToken: string
}

const answerTimeoutSeconds = 20

/**
 * Finds out how to talk to an OpenID provider as a client without a secret.
 * @throws CommandFailure for an address that is not safe and a provider that does not answer as one
 */
export async function discoverProvider(issuer: string, clientID: string): Promise<Configuration> {
  const address = safeAddress(issuer)
  if (!address) {
    throw new CommandFailure(
      `the OpenID provider ${JSON.stringify(issuer)} has no https address; http is for this machine alone`,
    )
  }
  const { allowInsecureRequests, discovery, None } = await import('openid-client')
  try {
    return await discovery(address, clientID, undefined, None(), {
      timeout: answerTimeoutSeconds,
      execute: address.protocol === 'http:' ? [allowInsecureRequests] : [],
    })
  } catch (error) {
    throw new CommandFailure(
      `the OpenID provider at ${issuer} cannot be used: ${reasonOf(error)}`,
      undefined,
      {
        cause: error,
      },
    )
  }
}

/**
 * Exchanges an expired ID token for a fresh one, at the provider that issued it and as the client that it was made for.
 * @throws CommandFailure when the provider does not answer or the sign-in has ended
 */
export async function refreshIdToken(expired: string, refreshToken: string): Promise<SignedIn> {
  const { issuer = '', clientID = '' } = tokenClaims(expired) ?? {}
  const provider = await discoverProvider(issuer, clientID)
  const { refreshTokenGrant } = await import('openid-client')
  try {
    const tokens = await refreshTokenGrant(provider, refreshToken)
    if (tokens.id_token === undefined) throw new Error('it gives no ID token')
    return { token: tokens.id_token, refreshToken: tokens.refresh_token ?? refreshToken }
  } catch (error) {
    throw new CommandFailure(
      `the sign-in at ${issuer} could not be renewed (${reasonOf(error)}); sign in again with "wadi relogin"`,
      undefined,
      { cause: error },
    )
  }
}

/** Returns an https address, or an http one of this machine; undefined for anything else. */
export function safeAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return undefined
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal) ? url : undefined
}

/** Returns what a provider or the way to it says was wrong. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error))
  const reported = ['error', 'error_description'].flatMap((key) => {
    const text: unknown = Reflect.get(error, key)
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  if (reported.length > 0) return printable(reported.join(': ')).slice(0, 500)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return printable(`${error.message}${cause}`).slice(0, 500)
}
