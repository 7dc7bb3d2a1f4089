import { createHash, randomBytes } from 'node:crypto'
import { followRedirects } from '@wadi/testing/openid-browser.ts'
import type { OpenIdProvider } from '@wadi/testing/openid-provider.ts'

const redirect = 'http://127.0.0.1:8085/auth/callback'

/** Signs a user in at a provider by the authorization code flow with PKCE and returns the ID token. */
export async function idTokenOf(provider: OpenIdProvider, user: string): Promise<string> {
  provider.signInAs(user)
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: provider.clientID,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email groups',
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { searchParams } = await followRedirects(`${provider.issuer}/auth?${query.toString()}`, redirect)
  const answer = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: provider.clientID,
      code: searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: redirect,
    }),
  })
  const { id_token: token } = (await answer.json()) as { id_token: string }
  return token
}
