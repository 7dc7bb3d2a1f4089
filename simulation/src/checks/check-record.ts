import { readHydratedBranch } from '@wadi/hydration/hydrated-branch.ts'
import type { SourceHydratorStatus } from '@wadi/hydration/application-status.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Ledger } from './ledger.ts'

/** Returns what the record of a branch, or the status of an Application, says that is not so, as sentences. */
export function checkRecord(ledger: Ledger, resource: Resource): string[] {
  if (resource.status === undefined) return []
  return resource.kind === 'Application' ? checkApplication(ledger, resource) : checkBranch(ledger, resource)
}

function checkApplication(ledger: Ledger, { metadata, status }: Resource): string[] {
  const { currentOperation } = (status?.['sourceHydrator'] ?? {}) as SourceHydratorStatus
  if (currentOperation?.phase !== 'Hydrated') return []
  const { drySHA = '', hydratedSHA = '' } = currentOperation
  const branch = ledger.branchOf(metadata.name)
  return checkClaim(ledger, branch, `the status of Application ${metadata.name}`, { drySHA, hydratedSHA })
}

function checkBranch(ledger: Ledger, resource: Resource): string[] {
  const { branch, status } = readHydratedBranch(resource)
  return status.groups.flatMap(({ phase, success }) => {
    if (phase !== 'Hydrated' || !success) return []
    const { hydratedSha: hydratedSHA, drySha: drySHA } = success
    return checkClaim(ledger, branch, `the status of ${branch}`, { drySHA, hydratedSHA })
  })
}

function checkClaim(
  ledger: Ledger,
  branch: string,
  name: string,
  { drySHA, hydratedSHA }: { readonly drySHA: string; readonly hydratedSHA: string },
): string[] {
  const rank = ledger.rank.get(drySHA)
  if (ledger.seen.get(branch)?.has(hydratedSHA) !== true) {
    return [`${name} says Hydrated with commit ${hydratedSHA.slice(0, 7)}, which is not on ${branch}`]
  }
  const differing = ledger.differing(hydratedSHA, branch, drySHA)
  if (differing.length === 0) return []
  return [`${name} says Hydrated of dry commit ${rank}, but the branch has another ${differing.join(', ')}`]
}
