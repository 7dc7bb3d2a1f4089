import { UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { LivePolicy } from '@wadi/rbac/decide/live-policy.ts'
import { findAccount } from '../accounts/account.ts'
import type { SignInObjects } from '../accounts/sign-in-objects.ts'
import type { ForeignTokenVerifier } from '../authentication/authenticate.ts'
import { isRevoked } from '../sessions/revoked-sessions.ts'
import { callerOfClaims } from './caller-of-claims.ts'
import { readableOidcConfig } from './oidc-config.ts'
import { ProviderKeys } from './provider-keys.ts'

/** Returns what verifies the tokens of the OpenID provider that `argocd-cm` names now. */
export function foreignTokens(
  objects: SignInObjects,
  policy: Pick<LivePolicy, 'config'>,
): ForeignTokenVerifier {
  let known: { text: string; keys: ProviderKeys } | undefined
  return async (token, issuer) => {
    const text = objects.config['oidc.config'] ?? ''
    const config = known?.text === text ? known.keys.config : readableOidcConfig(text)
    if (config?.issuer !== issuer) {
      throw new UnauthenticatedError('invalid session: the issuer of the token is not trusted here')
    }
    if (known?.text !== text) known = { text, keys: new ProviderKeys(config) }
    const caller = callerOfClaims(token, await known.keys.verify(token), {
      scopes: policy.config.scopes,
      isAccount: (name) => findAccount(objects, name) !== undefined,
    })
    if (isRevoked(objects, caller.tokenId)) {
      throw new UnauthenticatedError('invalid session: the session was signed out; sign in again')
    }
    return caller
  }
}
