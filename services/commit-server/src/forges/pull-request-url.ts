import { normalizeRepositoryUrl } from './repository-identity.ts'

/** The page on which somebody opens a pull request from one branch to another. */
type PageOf = (repository: string, from: string, to: string) => string

/** By what the name of the host has in it; Gitea's page is Forgejo's too. */
const forges: readonly (readonly [name: RegExp, page: PageOf])[] = [
  [
    /github/,
    (repository, from, to) => `${repository}/compare/${branchPath(to)}...${branchPath(from)}?expand=1`,
  ],
  [
    /gitlab/,
    (repository, from, to) =>
      `${repository}/-/merge_requests/new?${new URLSearchParams({
        'merge_request[source_branch]': from,
        'merge_request[target_branch]': to,
      }).toString()}`,
  ],
  [
    /gitea|forgejo|codeberg/,
    (repository, from, to) => `${repository}/compare/${branchPath(to)}...${branchPath(from)}`,
  ],
  [
    /bitbucket\.org$/,
    (repository, from, to) =>
      `${repository}/pull-requests/new?${new URLSearchParams({ source: from, dest: to }).toString()}`,
  ],
]

/**
 * Returns the address of the page on which a pull request of a branch is opened, for GitHub, GitLab, Gitea, Forgejo and Bitbucket,
 * whose hosts are recognized by their names; empty for others.
 * @param repoUrl in any spelling
 */
export function pullRequestUrl(repoUrl: string, from: string, to: string): string {
  const url = webAddress(repoUrl)
  const page = url && forges.find(([name]) => name.test(url.hostname))?.[1]
  return page ? page(`${url.origin}${url.pathname}`, from, to) : ''
}

/** The page of a repository; a forge has it on the host that it serves git on, whatever git's port is over SSH. */
function webAddress(repoUrl: string): URL | undefined {
  const normal = normalizeRepositoryUrl(repoUrl)
  const isWeb = /^https?:/.test(normal)
  const url = URL.parse(isWeb ? normal : `https://${normal}`)
  if (!url || url.pathname === '/') return undefined
  return new URL(`${url.protocol}//${isWeb ? url.host : url.hostname}${url.pathname}`)
}

function branchPath(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/')
}
