import type { ForgeName } from '@wadi/forges/forge-address.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'

/** As whom the API of a forge is asked. */
interface ForgeAccount {
  readonly token: string
  /** Undefined for a token that goes alone. */
  readonly username: string | undefined
}

/**
 * The account of a token: Gitea and both kinds of Bitbucket take a user with a password, or with a token in its place, as git does. Tokens that are
 * given as such go alone; an API token of Bitbucket Cloud goes with the e-mail address of its account, as `ADDRESS:TOKEN`.
 */
export function forgeAccount(
  forge: ForgeName,
  { forgeToken, bearerToken, username }: RepositorySecret['values'],
  token: string,
): ForgeAccount {
  const [, address, own] = /^([^:@\s]+@[^:\s]+):(.+)$/s.exec(forgeToken ?? '') ?? []
  if (forge === 'bitbucket' && address !== undefined && own !== undefined) {
    return { token: own, username: address }
  }
  const takesUsers = forge === 'gitea' || forge === 'bitbucket' || forge === 'bitbucket-server'
  const isAlone = forgeToken || bearerToken || username === 'x-token-auth'
  return { token, username: takesUsers && !isAlone ? username : undefined }
}
