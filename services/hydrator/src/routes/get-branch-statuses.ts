import { by } from '@wadi/order/by-name.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import {
  foreignChangeText,
  type GroupStatus,
  pullRequestText,
  readHydratedBranch,
} from '@wadi/hydration/hydrated-branch.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** Reads the records of all hydrated branches. */
export function getBranchStatuses(context: { store: ResourceStore }) {
  return async () => {
    const { items } = await context.store.list('HydratedBranch', { namespace: controlPlaneNamespace })
    const branches = items.map((item) => {
      const { repoUrl, branch, status } = readHydratedBranch(item)
      const { groups, applications, rendered, milliseconds } = status
      const worst = groups.find((group) => group.phase === 'Failed') ?? groups.find(isHydrating) ?? groups[0]
      return {
        repoUrl,
        branch,
        phase: worst?.phase ?? '',
        message: worst?.message || (worst?.failures[0]?.message ?? ''),
        drySha: groups.findLast((group) => group.success)?.success?.drySha ?? '',
        hydratedSha: status.head ?? groups.findLast((group) => group.success)?.success?.hydratedSha ?? '',
        applications,
        rendered,
        milliseconds,
        foreignChange: status.foreignChange ? foreignChangeText(status.foreignChange) : '',
        pullRequestUrl: status.pullRequest?.url ?? '',
        pullRequest: status.pullRequest ? pullRequestText(status.pullRequest) : '',
      }
    })
    return {
      branches: branches.toSorted(by(({ repoUrl, branch }) => `${repoUrl} ${branch}`)),
    }
  }
}

function isHydrating(group: GroupStatus): boolean {
  return group.phase === 'Hydrating'
}
