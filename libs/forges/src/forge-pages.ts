import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { ForgeName } from './forge-address.ts'

/** A forge with pages for people; of Azure DevOps Wadi knows no more than those. */
type PageForge = ForgeName | 'azure-devops'

/** An operator's words about the forge of a repository; none by default. */
export interface KnownForge {
  readonly forge?: PageForge | undefined
  /** The address of the forge or of its API. */
  readonly forgeUrl?: string | undefined
}

/** The pages of a repository: addresses with `{sha}`, `{branch}` and `{path}` in the place of what is shown, all encoded. */
export interface RepositoryPages {
  readonly commit: string
  readonly branch: string
  /** A file at a commit. */
  readonly file: string
  /** A directory at a commit. */
  readonly directory: string
  /** The text that follows the address of a file for one of its lines, with `{line}`. */
  readonly line: string
}

interface Pages extends RepositoryPages {
  /** Where somebody opens a pull request. */
  readonly pullRequest: (from: string, to: string) => string
}

const compared = (from: string, to: string): string => `/compare/${encodedPath(to)}...${encodedPath(from)}`

/** All below the page of the repository. */
const pages: Readonly<Record<PageForge, Pages>> = {
  github: {
    commit: '/commit/{sha}',
    branch: '/tree/{branch}',
    file: '/blob/{sha}/{path}',
    directory: '/tree/{sha}/{path}',
    line: '#L{line}',
    pullRequest: (from, to) => `${compared(from, to)}?expand=1`,
  },
  gitlab: {
    commit: '/-/commit/{sha}',
    branch: '/-/tree/{branch}',
    file: '/-/blob/{sha}/{path}',
    directory: '/-/tree/{sha}/{path}',
    line: '#L{line}',
    pullRequest: (from, to) =>
      `/-/merge_requests/new?${query({ 'merge_request[source_branch]': from, 'merge_request[target_branch]': to })}`,
  },
  gitea: {
    commit: '/commit/{sha}',
    branch: '/src/branch/{branch}',
    file: '/src/commit/{sha}/{path}',
    directory: '/src/commit/{sha}/{path}',
    line: '#L{line}',
    pullRequest: compared,
  },
  bitbucket: {
    commit: '/commits/{sha}',
    branch: '/branch/{branch}',
    file: '/src/{sha}/{path}',
    directory: '/src/{sha}/{path}',
    line: '#lines-{line}',
    pullRequest: (from, to) => `/pull-requests/new?${query({ source: from, dest: to })}`,
  },
  'bitbucket-server': {
    commit: '/commits/{sha}',
    branch: '/browse?at=refs/heads/{branch}',
    file: '/browse/{path}?at={sha}',
    directory: '/browse/{path}?at={sha}',
    line: '#{line}',
    pullRequest: (from, to) =>
      `/pull-requests?create&${query({ sourceBranch: `refs/heads/${from}`, targetBranch: `refs/heads/${to}` })}`,
  },
  'azure-devops': {
    commit: '/commit/{sha}',
    branch: '?version=GB{branch}',
    file: '?path=/{path}&version=GC{sha}',
    directory: '?path=/{path}&version=GC{sha}',
    line: '&line={line}',
    pullRequest: (from, to) => `/pullrequestcreate?${query({ sourceRef: from, targetRef: to })}`,
  },
}

/** Forges by what the name of the host has in it; Gitea's pages are Forgejo's too. */
const names: readonly (readonly [name: RegExp, forge: PageForge])[] = [
  [/github|\.ghe\.com$/, 'github'],
  [/gitlab/, 'gitlab'],
  [/gitea|forgejo|codeberg/, 'gitea'],
  [/bitbucket\.org$/, 'bitbucket'],
  [/^bitbucket\./, 'bitbucket-server'],
  [/^dev\.azure\.com$/, 'azure-devops'],
]

/** Hosts of what people publish with a forge, such as repositories of charts. */
const publishing = /\.(?:github\.io|githubusercontent\.com|gitlab\.io|codeberg\.page)$/

/** Returns the pages of a repository; undefined for a forge that nobody names and the name of the host does not have in it. */
export function repositoryPages(repoUrl: string, known: KnownForge = {}): RepositoryPages | undefined {
  const found = findPages(repoUrl, known)
  if (!found) return undefined
  const { at, pages: of } = found
  const [commit, branch, file, directory] = [of.commit, of.branch, of.file, of.directory].map(
    (page) => `${at}${page}`,
  )
  return {
    commit: commit ?? '',
    branch: branch ?? '',
    file: file ?? '',
    directory: directory ?? '',
    line: of.line,
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
): { at: string; pages: Pages } | undefined {
  const url = webAddress(repoUrl)
  if (!url || publishing.test(url.hostname)) return undefined
  const forge = named ?? names.find(([name]) => name.test(url.hostname))?.[1]
  if (forge === undefined) return undefined
  const origin = originIn(forgeUrl) ?? url.origin
  return { at: `${origin}${repositoryPath(forge, url.pathname)}`, pages: pages[forge] }
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

function repositoryPath(forge: PageForge, path: string): string {
  if (forge === 'azure-devops') return path.replace(/\/([^/]+)$/, '/_git/$1')
  if (forge !== 'bitbucket-server') return path
  return path
    .replace(/^\/scm\//, '/')
    .replace(/^\/(~?)([^/]+)\/([^/]+)$/, (_, user: string, owner: string, name: string) =>
      user === '' ? `/projects/${owner}/repos/${name}` : `/users/${owner}/repos/${name}`,
    )
}

function query(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
