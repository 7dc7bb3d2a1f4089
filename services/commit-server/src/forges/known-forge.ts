import { DomainError } from '@wadi/errors/domain-error.ts'
import type { KnownForge } from '@wadi/forges/forge-pages.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'
import { repositoryForge } from './repository-forge.ts'

/** Returns the forge that the Secret of the write credentials names, or the host where the API of its forge is known. */
export function knownForge(
  repoUrl: string,
  secret: Pick<RepositorySecret, 'name' | 'values'> | undefined,
): KnownForge {
  if (!secret) return {}
  const { forgeUrl } = secret.values
  try {
    return { forge: repositoryForge(repoUrl, secret).forge, forgeUrl }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'no-forge') return { forgeUrl }
    throw error
  }
}
