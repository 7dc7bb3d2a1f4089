import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { Forge, ForgePages } from './forge.ts'
import { forges } from './forges.ts'

/** An operator's words about the forge of a repository; none by default. */
export interface KnownForge {
  readonly forge?: Forge | undefined
  /** The address of the forge or of its API. */
  readonly forgeUrl?: string | undefined
}

/** The pages of a repository: addresses with `{sha}`, `{branch}` and `{path}` in the place of what is shown, all encoded. */
export type RepositoryPages = Pick<ForgePages, 'commit' | 'branch' | 'file' | 'directory' | 'line'>

/** Hosts of what people publish with a forge, such as repositories of charts. */
const publishing = /\.(?:github\.io|githubusercontent\.com|gitlab\.io|codeberg\.page)$/

/** Returns the pages of a repository; undefined for a forge that nobody names and the name of the host does not have in it. */
export function repositoryPages(repoUrl: string, known: KnownForge = {}): RepositoryPages | undefined {
  const found = findPages(repoUrl, known)
  if (!found) return undefined
  const { at, pages } = found
  return {
    commit: `${at}${pages.commit}`,
    branch: `${at}${pages.branch}`,
    file: `${at}${pages.file}`,
    directory: `${at}${pages.directory}`,
    line: pages.line,
  }
}

/** Returns the address of the page on which a pull request of a branch is opened; empty as `repositoryPages` is undefined. */
export function newPullRequestPage(
  repoUrl: string,
  known: KnownForge,
  { from, to }: { from: string; to: string },
): string {
  const found = findPages(repoUrl, known)
  return found ? `${found.at}${found.pages.pullRequest(from, to)}` : ''
}

function findPages(
  repoUrl: string,
  { forge: named, forgeUrl }: KnownForge,
): { at: string; pages: ForgePages } | undefined {
  const url = webAddress(repoUrl)
  if (!url || publishing.test(url.hostname)) return undefined
  const pages = (named ?? forges.find(({ likelyHosts }) => likelyHosts.test(url.hostname)))?.pages
  if (pages === undefined) return undefined
  const origin = originIn(forgeUrl) ?? url.origin
  return { at: `${origin}${pages.repository?.(url.pathname) ?? url.pathname}`, pages }
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
