import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { ForgeName } from '@wadi/forges/forge-address.ts'
import { redactUrl } from '@wadi/git/remote/repository-url.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'

/** The API of a repository's forge. */
export interface RepositoryForge {
  forge: ForgeName
  /** The address of the forge or of its API; empty for the forge's public one. */
  api: string
  /** The path of the repository in the forge, for example `team/shop`. */
  repository: string
}

/** The values of the field `forge` of a Secret. */
const forgesByField: Readonly<Record<string, ForgeName>> = {
  github: 'github',
  gitlab: 'gitlab',
  gitea: 'gitea',
  forgejo: 'gitea',
  bitbucket: 'bitbucket',
  'bitbucket-server': 'bitbucket-server',
}

const publicForges: Readonly<Record<string, ForgeName>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
}

/** Forges whose public API is not at the host of their repositories. */
const apiHosts: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])

/**
 * The forge of a repository: what its Secret names, else what its host tells.
 * @throws FailedPreconditionError with the code `no-forge` when neither does
 */
export function repositoryForge(
  repoUrl: string,
  { name, values }: Pick<RepositorySecret, 'name' | 'values'>,
): RepositoryForge {
  const { host, path, origin } = partsOf(repoUrl)
  const forge = values['githubAppPrivateKey'] ? 'github' : forgeNamed(name, values['forge'], host)
  if (forge === undefined) {
    throw noForge(
      `${redactUrl(repoUrl)}: its forge is not known by the host ${host}; set forge in Secret ${name} to one of ` +
        Object.keys(forgesByField).join(', '),
    )
  }
  const given = values['forgeUrl'] ?? values['githubAppEnterpriseBaseUrl']
  const api = given ?? defaultApi(host, origin)
  return { forge, api, repository: repositoryPath(path, given, forge) }
}

/** The error for a repository whose pull requests cannot be reached; its code is `no-forge`. */
export function noForge(reason: string): FailedPreconditionError {
  return new FailedPreconditionError(reason, { code: 'no-forge' })
}

function forgeNamed(secret: string, field: string | undefined, host: string): ForgeName | undefined {
  if (field === undefined || field === '') return forgeOfHost(host)
  const named = new Map(Object.entries(forgesByField)).get(field)
  if (named) return named
  throw noForge(
    `Secret ${secret}: forge ${JSON.stringify(field)} is not one of ${Object.keys(forgesByField).join(', ')}`,
  )
}

function forgeOfHost(host: string): ForgeName | undefined {
  const known = new Map(Object.entries(publicForges)).get(host)
  if (known) return known
  if (host.endsWith('.ghe.com')) return 'github'
  const [first = ''] = host.split('.')
  if (first === 'bitbucket') return 'bitbucket-server'
  return new Map(Object.entries(forgesByField)).get(first)
}

function defaultApi(host: string, origin: string): string {
  if (apiHosts.has(host)) return ''
  return host.endsWith('.ghe.com') ? `https://api.${host}` : origin
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
function repositoryPath(path: string, given: string | undefined, forge: ForgeName): string {
  const above = (URL.parse(given ?? '')?.pathname ?? '').replace(/\/(?:api\/v\d+)?\/*$/, '')
  const below = above !== '' && path.startsWith(`${above}/`) ? path.slice(above.length) : path
  const plain = below.replaceAll(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return forge === 'bitbucket-server' ? plain.replace(/^scm\//, '') : plain
}
