import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import { accountsSecret, type SignInObjects } from '../accounts/sign-in-objects.ts'
import type { OidcConfig } from './oidc-config.ts'

/**
 * Returns the secret of the provider's client, which `$key` names in the Secret `argocd-secret`; empty for a client without one.
 * @throws FailedPreconditionError when there is no such key
 */
export function clientSecretOf(
  objects: Pick<SignInObjects, 'secret'>,
  { clientSecret }: Pick<OidcConfig, 'clientSecret'>,
): string {
  if (!clientSecret.startsWith('$')) return clientSecret
  const key = clientSecret.slice(1)
  const secret = objects.secret(accountsSecret).get(key)?.trim()
  if (secret) return secret
  throw new FailedPreconditionError(
    `argocd-cm oidc.config: clientSecret names the key ${JSON.stringify(key)}, which Secret ${accountsSecret} does not have`,
  )
}
