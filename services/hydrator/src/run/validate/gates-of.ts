import { drySourcesOf } from '@wadi/resources/application/dry-sources.ts'
import { type Cluster, clusterOfDestination, inCluster } from '@wadi/resources/cluster-secret.ts'
import type { RunInProgress } from '../run-outcome.ts'
import type { GatesOf } from './check-members.ts'

/** Returns the gates that the operator asks for of Applications on a branch. Few operators have rules, so the code is loaded for those alone. */
export async function gatesOf(
  { settings, branch, repoUrl }: Pick<RunInProgress['run'], 'settings' | 'branch' | 'repoUrl'>,
  clusters: readonly Cluster[],
): Promise<GatesOf> {
  const { gateRules } = settings
  if (gateRules === undefined) return () => []
  const { ruledGates } = await import('../../gates/gate-rules.ts')
  return (members) => {
    const applications = members.map(({ application: { project, destination }, spec }) => {
      const repositories = [repoUrl, ...drySourcesOf(spec).map(({ repoURL }) => repoURL)]
      const branches = [branch, spec.syncSource.targetBranch]
      const cluster = clusterOfDestination(clusters, destination)
      const { server = '', name = '' } = cluster ?? destination
      const isInCluster = cluster?.server === inCluster.server
      return { project, repositories, branches, destinations: [server, name], isInCluster }
    })
    return ruledGates(gateRules, applications, settings)
  }
}
