import { DomainError } from '@wadi/errors/domain-error.ts'
import type { ForgeName } from '@wadi/forges/forge-address.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { RepositorySecret } from '@wadi/repositories/repository-secret.ts'
import { repositoryForge } from './repository-forge.ts'

/** The page on which somebody opens a pull request from one branch to another, below the page of the repository. */
type PageOf = (from: string, to: string) => string

const compared: PageOf = (from, to) => `compare/${branchPath(to)}...${branchPath(from)}`

const pages: Readonly<Record<ForgeName | 'azure-devops', PageOf>> = {
  github: (from, to) => `${compared(from, to)}?expand=1`,
  gitlab: (from, to) =>
    `-/merge_requests/new?${query({ 'merge_request[source_branch]': from, 'merge_request[target_branch]': to })}`,
  gitea: compared,
  bitbucket: (from, to) => `pull-requests/new?${query({ source: from, dest: to })}`,
  'bitbucket-server': (from, to) =>
    `pull-requests?create&${query({ sourceBranch: `refs/heads/${from}`, targetBranch: `refs/heads/${to}` })}`,
  'azure-devops': (from, to) => `pullrequestcreate?${query({ sourceRef: from, targetRef: to })}`,
}

/** Forges by what the name of the host has in it; Gitea's page is Forgejo's too. */
const names: readonly (readonly [name: RegExp, forge: ForgeName | 'azure-devops'])[] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/gitea|forgejo|codeberg/, 'gitea'],
  [/bitbucket\.org$/, 'bitbucket'],
  [/^dev\.azure\.com$/, 'azure-devops'],
]

/**
 * Returns the address of the page on which a pull request of a branch is opened; empty for a forge that neither the Secret of the
 * write credentials names nor the name of the host has in it.
 * @param repoUrl in any spelling
 */
export function pullRequestUrl(
  repoUrl: string,
  secret: Pick<RepositorySecret, 'name' | 'values'> | undefined,
  { from, to }: { from: string; to: string },
): string {
  const url = webAddress(repoUrl)
  if (!url) return ''
  const forge = forgeIn(repoUrl, secret) ?? names.find(([name]) => name.test(url.hostname))?.[1]
  if (forge === undefined) return ''
  const origin = originIn(secret?.values['forgeUrl']) ?? url.origin
  return `${origin}${repositoryPage(forge, url.pathname)}/${pages[forge](from, to)}`
}

function forgeIn(repoUrl: string, secret: Pick<RepositorySecret, 'name' | 'values'> | undefined) {
  try {
    return secret && repositoryForge(repoUrl, secret).forge
  } catch (error) {
    if (error instanceof DomainError && error.code === 'no-forge') return undefined
    throw error
  }
}

/** The page of a repository; a forge has it on the host that it serves git on, whatever git's port is over SSH. */
function webAddress(repoUrl: string): URL | undefined {
  const identity = repositoryIdentity(repoUrl)
  const written = URL.parse(repoUrl.trim())
  const isWeb = written !== null && /^https?:$/.test(written.protocol)
  const url = identity.includes('://') ? null : URL.parse(`https://${identity}`)
  if (!url || url.pathname === '/') return undefined
  if (!isWeb) return url
  const origin = url.hostname === written.hostname ? written.origin : url.origin
  return new URL(`${origin}${url.pathname}`)
}

/** The host of a forge that has its pages elsewhere than its repositories; that of an API alone is none. */
function originIn(forgeUrl: string | undefined): string | undefined {
  const url = URL.parse(forgeUrl ?? '')
  return url && !url.hostname.startsWith('api.') ? url.origin : undefined
}

function repositoryPage(forge: ForgeName | 'azure-devops', path: string): string {
  if (forge === 'azure-devops') return path.replace(/\/([^/]+)$/, '/_git/$1')
  if (forge !== 'bitbucket-server') return path
  return path.replace(/^\/(~?)([^/]+)\/([^/]+)$/, (_, user: string, owner: string, name: string) =>
    user === '' ? `/projects/${owner}/repos/${name}` : `/users/${owner}/repos/${name}`,
  )
}

function query(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}

function branchPath(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/')
}
