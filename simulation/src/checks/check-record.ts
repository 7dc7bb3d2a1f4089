import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Ledger } from './ledger.ts'

/** Returns what a record of a branch says that is not so, as sentences. */
export function checkRecord(ledger: Ledger, resource: Resource): string[] {
  if (resource.kind !== 'HydratedBranch' || resource.status === undefined) return []
  const { branch, status } = readHydratedBranch(resource)
  return status.groups.flatMap(({ phase, success }) => {
    if (phase !== 'Hydrated' || !success) return []
    const { hydratedSha, drySha } = success
    const name = `the status of ${branch}`
    const rank = ledger.rank.get(drySha)
    if (ledger.seen.get(branch)?.has(hydratedSha) !== true) {
      return [`${name} says Hydrated with commit ${hydratedSha.slice(0, 7)}, which is not on it`]
    }
    const differing = ledger.differing(hydratedSha, branch, drySha)
    if (differing.length === 0) return []
    return [`${name} says Hydrated of dry commit ${rank}, but the branch has another ${differing.join(', ')}`]
  })
}
