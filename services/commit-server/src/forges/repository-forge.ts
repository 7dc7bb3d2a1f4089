import type { Forge } from '@wadi/forges/forge.ts'
import { noForge } from '@wadi/forges/forge.ts'
import { forgeNamed, forgeNames, forges } from '@wadi/forges/forges.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'

/** The API of a repository's forge. */
export interface RepositoryForge {
  forge: Forge
  /** The address of the forge or of its API; empty for the forge's public one. */
  api: string
  /** The path of the repository in the forge, for example `team/shop`. */
  repository: string
}

/**
 * The forge of a repository: what its Secret names, else what its host tells.
 * @throws FailedPreconditionError with the code `no-forge` when neither does
 */
export function repositoryForge(
  repoUrl: string,
  { name, values }: Pick<RepositorySecret, 'name' | 'values'>,
): RepositoryForge {
  const { host, path, origin } = partsOf(repoUrl)
  const own = forges.find(({ ownField }) => ownField !== undefined && values[ownField])
  const forge = own ?? forgeInSecret(name, values['forge']) ?? forges.find(({ hosts }) => hosts.test(host))
  if (forge === undefined) {
    throw noForge(
      `${redactUrl(repoUrl)}: its forge is not known by the host ${host}; set forge in Secret ${name} to one of ` +
        forgeNames.join(', '),
    )
  }
  const given = values['forgeUrl'] ?? values['githubAppEnterpriseBaseUrl']
  const below = pathBelow(path, given)
  return {
    forge,
    api: given ?? forge.apiOfHost?.(host) ?? origin,
    repository: forge.repositoryPath?.(below, host) ?? below,
  }
}

function forgeInSecret(secret: string, field: string | undefined): Forge | undefined {
  if (field === undefined || field === '') return undefined
  const named = forgeNamed(field)
  if (named) return named
  throw noForge(`Secret ${secret}: forge ${JSON.stringify(field)} is not one of ${forgeNames.join(', ')}`)
}

/** Host, path and address of a repository; the forge of one that is reached by ssh is asked by https. */
function partsOf(repoUrl: string): { host: string; path: string; origin: string } {
  const text = repoUrl.trim()
  const url = text.includes('://') ? URL.parse(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol)) {
    return { host: url.hostname.toLowerCase(), path: url.pathname, origin: url.origin }
  }
  const [, host = '', path = ''] =
    (url ? [text, url.hostname, url.pathname] : /^(?:[^@/]*@)?([^@/:]+):(.*)$/.exec(text)) ?? []
  if (host === '') throw noForge(`${redactUrl(repoUrl)} is not a repository of a forge`)
  const own = host.toLowerCase()
  return { host: own, path, origin: `https://${own}` }
}

/** A forge may be below a path of its host, which is not one of the repository. */
function pathBelow(path: string, given: string | undefined): string {
  const above = (URL.parse(given ?? '')?.pathname ?? '').replace(/\/(?:api\/v\d+)?\/*$/, '')
  const below = above !== '' && path.startsWith(`${above}/`) ? path.slice(above.length) : path
  return below.replaceAll(/^\/+|\/+$/g, '').replace(/\.git$/, '')
}
