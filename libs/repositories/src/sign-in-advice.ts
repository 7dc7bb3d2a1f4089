import { credentialKind } from './repository-credentials.ts'
import { isPrefixType, isWriteType, type RepositorySecret } from './repository-secret.ts'

/** Names the Secret that a repository is opened with: the one that it takes its sign-in from. */
export function namedSecret(
  { name, lender }: Pick<RepositorySecret, 'name' | 'lender'>,
  namespace: string,
): string {
  return `Secret ${lender?.name ?? name} in namespace ${namespace}`
}

/**
 * Says which stored credentials a server did not accept, and what to do about it.
 * @param secret the one that applies to the repository; undefined when none does
 * @param tried one that is not stored, and only tried out
 */
export function signInAdvice(
  secret: RepositorySecret | undefined,
  purpose: 'read' | 'write',
  namespace: string,
  tried?: RepositorySecret,
): string {
  const add = `wadi repo add${purpose === 'write' ? ' --write' : ''}`
  if (!secret) return `no Secret in namespace ${namespace} has credentials for it; store some with "${add}"`
  const hasNone = credentialKind(secret) === 'none'
  if (tried?.name === secret.name && !secret.lender) {
    return hasNone
      ? `no credentials were given; give some, for example with "${add} URL ${isSsh(secret.url) ? '--ssh-private-key-path FILE' : '--username NAME --password-stdin'}"`
      : 'correct the credentials that were given'
  }
  const named = namedSecret(secret, namespace)
  const { type } = secret.lender ?? secret
  const again = `"wadi repo add${isWriteType(type) ? ' --write' : ''}${isPrefixType(type) ? ' --creds' : ''} --upsert"`
  return hasNone
    ? `${named}, which applies to it, has no credentials; add some with ${again}`
    : `correct the credentials of ${named}, for example with ${again}`
}

function isSsh(url: string): boolean {
  return /^(?:ssh:|[^/]+@[^/]+:)/i.test(url)
}
