import { createHash } from 'node:crypto'
import type { ServiceImpl } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Cluster, ClusterService } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { comparableServer, listClusterSecrets, readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { checkedResource } from '@wadi/resources/object-checks.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { clusterObject } from '../authorization/policy-object.ts'
import { clusterMessage, foreignAnnotationsOf, inClusterMessage } from '../clusters/cluster-message.ts'
import { findCluster, visibleClusters } from '../clusters/find-cluster.ts'
import { writeCluster } from '../clusters/write-cluster.ts'
import type { GatewayContext } from '../context.ts'

/** The RPCs of ClusterService. */
export function clusterRoutes(context: GatewayContext) {
  return {
    async listClusters(_request, call) {
      const known = await visibleClusters(context, call)
      return { clusters: known.map(({ secret }) => (secret ? clusterMessage(secret) : inClusterMessage)) }
    },
    async getCluster({ cluster }, call) {
      const { secret } = await findCluster(context, call, cluster)
      return { cluster: secret ? clusterMessage(secret) : inClusterMessage }
    },
    /** Stores a new cluster, or changes the one with this address in the Secret that it has. */
    async createCluster({ cluster, upsert }, call) {
      if (!cluster) throw new InvalidInputError('cluster is required')
      const server = comparableServer(cluster.server)
      const secrets = await listClusterSecrets(context.store)
      const stored = secrets.find((secret) => readClusterSecret(secret).server === server)
      const secret = secretOf({ ...cluster, server }, stored)
      const { resource, outcome } = await writeCluster(context, call, secret, {
        replace: upsert,
        keep: keepRest,
      })
      return { cluster: clusterMessage(resource), outcome }
    },
    /** Forgets a cluster; `in-cluster` is there again afterwards as nobody has stored it. */
    async deleteCluster(request, call) {
      const { cluster, secret } = await findCluster(context, call, request.cluster)
      const { resource, object } = clusterObject(cluster)
      context.authorization.require(call, resource, 'delete', object)
      if (!secret) {
        throw new FailedPreconditionError(`cluster ${cluster.name} is always there and cannot be deleted`)
      }
      const { name, resourceVersion } = secret.metadata
      await context.store.delete('Secret', credentialsNamespace, name, {
        ...(resourceVersion !== undefined && { resourceVersion }),
      })
      return {}
    },
  } satisfies ServiceImpl<typeof ClusterService>
}

/** The Secret in Argo CD's form that holds what a request sets; the name is the one that is stored already. */
function secretOf(cluster: Cluster, stored: Resource | undefined): Resource {
  const { server, project } = cluster
  const fields = { name: cluster.name || server, server, project, namespaces: cluster.namespaces.join(',') }
  return checkedResource({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: stored?.metadata.name ?? secretName(server),
      namespace: credentialsNamespace,
      labels: { ...cluster.labels, [secretTypeLabel]: 'cluster' },
      annotations: { ...cluster.annotations, ...(stored && foreignAnnotationsOf(stored)) },
    },
    stringData: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  })
}

/** Keeps what a request cannot set, such as credentials for Argo CD, and nothing that it can. */
function keepRest(wanted: Resource, { type, data }: Resource): Resource {
  const { name: _name, server: _server, project: _project, namespaces: _namespaces, ...rest } = data ?? {}
  return { ...wanted, ...(type !== undefined && { type }), data: rest }
}

function secretName(server: string): string {
  const host = URL.parse(server)?.hostname.replaceAll(/[^a-z0-9.-]/gu, '') ?? ''
  const digest = createHash('sha256').update(server).digest('hex').slice(0, 10)
  const readable = host.slice(0, 200).replaceAll(/\.(?![a-z0-9])|^[.-]+|[.-]+$/gu, '')
  return ['cluster', readable, digest].filter((part) => part !== '').join('-')
}
