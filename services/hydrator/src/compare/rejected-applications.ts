import { DomainError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import { manifestIdentity } from '@wadi/manifests/manifest.ts'
import type { ObjectChange } from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import type { ApplicationDestination } from '@wadi/resources/application/application.ts'
import { checkedApplication } from '@wadi/resources/application/checked-application.ts'
import {
  type Cluster,
  clusterOfDestination,
  inCluster,
  readClusters,
} from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import { readProject, requireProjectPermits } from '@wadi/resources/project/project-permission.ts'
import type { RenderedDirectory } from '../run/render/render.ts'
import type { RunContext } from '../run/run-context.ts'

/** Each reads a project, so a revision that has thousands of Applications is tested in part. */
const maxApplications = 200

/**
 * Says of the Applications that a directory newly has, or that change in it, which ones break a rule or are outside their project. Only
 * what is deployed to the cluster that the projects are in is tested: other control planes have others.
 */
export async function rejectedApplications(
  { store }: Pick<RunContext, 'store'>,
  { directory, manifests }: Pick<RenderedDirectory, 'directory' | 'manifests'>,
  objects: readonly ObjectChange[],
): Promise<string[]> {
  const names = new Set(
    objects
      .filter(({ change, identity }) => change !== 'removed' && isApplication(identity))
      .map(({ identity }) => identity && `${identity.namespace}/${identity.name}`),
  )
  if (names.size === 0) return []
  const clusters = await readClusters(store)
  const [{ application: parent }] = directory.members
  if (!isOfControlPlane(clusters, parent.destination)) return []
  const warnings: string[] = []
  const candidates = manifests.flatMap((text) => {
    const manifest = manifestFromJson(text)
    const identity = manifestIdentity(manifest)
    return isApplication(identity) && names.has(`${identity.namespace}/${identity.name}`) ? [manifest] : []
  })
  for (const manifest of candidates.slice(0, maxApplications)) {
    try {
      const resource = checkedResource(manifest)
      const namespace = resource.metadata.namespace ?? (parent.destination.namespace || controlPlaneNamespace)
      const application = checkedApplication({ ...resource, metadata: { ...resource.metadata, namespace } })
      const project = await readProject(store, application.project)
      requireProjectPermits(project, application, clusters)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const { name } = manifestIdentity(manifest)
      warnings.push(`Application ${shortened(name, 253)} would be rejected: ${shortened(error.message)}`)
    }
  }
  return warnings
}

/** Returns whether an object is an Application. */
export function isApplication(identity: { group: string; kind: string } | undefined): boolean {
  return identity?.group === 'argoproj.io' && identity.kind === 'Application'
}

/** Returns whether a destination is the cluster that the projects are in. */
export function isOfControlPlane(clusters: readonly Cluster[], destination: ApplicationDestination): boolean {
  const { server, name } = clusterOfDestination(clusters, destination) ?? destination
  return server === inCluster.server || name === inCluster.name
}
