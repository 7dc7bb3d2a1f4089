import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { ForgeApi } from '../forge-api.ts'
import { listAt, textAt } from '../forge-values.ts'
import type { KeptPullRequest } from '../pull-requests/pull-request-forge.ts'

const atOnce = 4

/** Full ids of commits, by repository and first digits, for all callers: they do not change, and asking takes from the rate limit. */
const fullIds = new LRUCache<string, string>({ max: 10_000 })

/** Pull requests with the full ids of their heads, of which Bitbucket says only the first digits. */
export async function withFullHeads(
  api: ForgeApi,
  repository: readonly string[],
  pulls: readonly KeptPullRequest[],
): Promise<KeptPullRequest[]> {
  const limit = pLimit(atOnce)
  return Promise.all(pulls.map((pull) => limit(() => withFullHead(api, repository, pull))))
}

/** One of them; its head stays empty when the commit is gone. */
export async function withFullHead(
  api: ForgeApi,
  repository: readonly string[],
  pull: KeptPullRequest,
): Promise<KeptPullRequest> {
  const { headSha } = pull
  if (headSha === '' || headSha.length === 40) return pull
  const key = [...repository, headSha].join('/')
  try {
    const ask = (): Promise<string> =>
      pull.isFork
        ? headOfFork(api, [...repository, 'pullrequests', pull.number], headSha)
        : api.one({ path: [...repository, 'commit', headSha] }, (body) => textAt(body, 'hash'))
    const known = fullIds.get(key) ?? (await ask())
    if (known !== '') fullIds.set(key, known)
    return { ...pull, headSha: known }
  } catch (error) {
    if (error instanceof NotFoundError) return { ...pull, headSha: '' }
    throw error
  }
}

/** The repository has no commits of forks, but its pull requests list them; empty when the first page does not have the head. */
async function headOfFork(api: ForgeApi, pullRequest: readonly string[], shortSha: string): Promise<string> {
  const newest = await api.one({ path: [...pullRequest, 'commits'] }, (body) =>
    listAt(body, 'values').map((commit) => textAt(commit, 'hash')),
  )
  return newest.find((sha) => sha.startsWith(shortSha)) ?? ''
}
