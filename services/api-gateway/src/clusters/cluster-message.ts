import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ClusterSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { inCluster, readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'

/** A cluster as users see it. */
export type ClusterMessage = MessageInitShape<typeof ClusterSchema> & { server: string; name: string }

/** Annotations that others keep on a cluster's Secret; kubectl's repeats its credentials. */
const foreignAnnotations = new Set(['kubectl.kubernetes.io/last-applied-configuration', 'managed-by'])

/** `in-cluster` as users see it while no Secret has its address. */
export const inClusterMessage: ClusterMessage = { ...inCluster, namespaces: [] }

/** A cluster as users see it: without credentials, wherever they are. */
export function clusterMessage(secret: Resource): ClusterMessage {
  const { server, name, project, namespaces } = readClusterSecret(secret)
  const { labels = {}, annotations = {} } = secret.metadata
  return {
    server,
    name,
    project,
    namespaces: [...namespaces],
    labels: Object.fromEntries(Object.entries(labels).filter(([key]) => key !== secretTypeLabel)),
    annotations: Object.fromEntries(
      Object.entries(annotations).filter(([key]) => !foreignAnnotations.has(key)),
    ),
  }
}

/** The annotations of a cluster's Secret that are not for users. */
export function foreignAnnotationsOf({ metadata }: Resource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([key]) => foreignAnnotations.has(key)),
  )
}
