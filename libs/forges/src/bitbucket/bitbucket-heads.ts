import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { ForgeApi } from '../forge-api.ts'
import { listAt, optionalTextAt, textAt } from '../forge-values.ts'
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
  const place = pull.isFork
    ? { path: [...repository, 'pullrequests', pull.number, 'commits'] }
    : { path: [...repository, 'commit', headSha] }
  const known = fullIds.get(key) ?? (await api.find(place, (body) => commitIn(body, headSha))) ?? ''
  if (known !== '') fullIds.set(key, known)
  return { ...pull, headSha: known }
}

/**
 * Full id of a commit, by itself or in the list of those of a pull request, which has those of forks too; empty when the first page does not
 * have it.
 */
function commitIn(body: unknown, shortSha: string): string {
  const hashes = [optionalTextAt(body, 'hash'), ...listAt(body, 'values').map((one) => textAt(one, 'hash'))]
  return hashes.find((sha) => sha?.startsWith(shortSha)) ?? ''
}
