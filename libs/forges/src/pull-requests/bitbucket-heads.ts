import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { ForgeApi } from '../forge-api.ts'
import { textAt } from '../forge-values.ts'
import type { KeptPullRequest } from './pull-request-forge.ts'

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
    const path = [...repository, 'commit', headSha]
    const known = fullIds.get(key) ?? (await api.one({ path }, (body) => textAt(body, 'hash')))
    fullIds.set(key, known)
    return { ...pull, headSha: known }
  } catch (error) {
    if (error instanceof NotFoundError) return { ...pull, headSha: '' }
    throw error
  }
}
