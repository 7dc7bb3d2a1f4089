import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'

/**
 * An API token of Bitbucket Cloud goes with the e-mail address of its account, as `ADDRESS:TOKEN` or as user and password of git; an
 * access token goes alone.
 */
export function bitbucketAccount(
  { forgeToken, bearerToken, username }: RepositorySecret['values'],
  token: string,
): { token: string; username: string | undefined } {
  const [, address, own] = /^([^:@\s]+@[^:\s]+):(.+)$/s.exec(token) ?? []
  if (forgeToken && address !== undefined && own !== undefined) return { token: own, username: address }
  const isAlone = forgeToken || bearerToken || username === 'x-token-auth'
  return { token, username: isAlone ? undefined : username }
}
