import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ClusterQuery, ClusterService } from '@wadi/protocol/gen/argocd/cluster/cluster_pb.ts'
import type { ClusterSchema } from '@wadi/protocol/gen/argocd/v1alpha1/cluster_pb.ts'
import {
  DeleteClusterRequestSchema,
  GetClusterRequestSchema,
  ListClustersRequestSchema,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { comparableServer } from '@wadi/resources/cluster-secret.ts'
import type { ClusterMessage } from '../clusters/cluster-message.ts'
import type { GatewayContext } from '../context.ts'
import { clusterRoutes } from '../routes/clusters.ts'
import { unsupported } from './unsupported.ts'

const noCredentials = unsupported(
  'Wadi connects to no cluster and keeps no credentials of one; ' +
    '`wadi cluster add SERVER --name NAME` stores its address and name for Applications',
)

/** Argo CD's ClusterService over the gateway's own. */
export function argocdClusters(context: GatewayContext): ServiceImpl<typeof ClusterService> {
  const own = clusterRoutes(context)
  return {
    async list(query, call) {
      const { clusters } = await own.listClusters(create(ListClustersRequestSchema), call)
      const wanted = clusterOf(query)
      const items = clusters.filter(
        ({ server, name }) => wanted === '' || name === wanted || server === comparableServer(wanted),
      )
      return { metadata: {}, items: items.map(clusterOnTheWire) }
    },
    async get(query, call) {
      const { cluster } = await own.getCluster(
        create(GetClusterRequestSchema, { cluster: requiredCluster(query) }),
        call,
      )
      return clusterOnTheWire(cluster)
    },
    async delete(query, call) {
      await own.deleteCluster(create(DeleteClusterRequestSchema, { cluster: requiredCluster(query) }), call)
      return {}
    },
    create: noCredentials,
    update: noCredentials,
    rotateAuth: noCredentials,
    invalidateCache: noCredentials,
  }
}

/** Lists the clusters of a project that the caller may see. */
export async function clustersOfProject(context: GatewayContext, call: HandlerContext, project: string) {
  const { clusters } = await clusterRoutes(context).listClusters(create(ListClustersRequestSchema), call)
  return clusters.filter((cluster) => cluster.project === project).map(clusterOnTheWire)
}

function clusterOnTheWire(cluster: ClusterMessage): MessageInitShape<typeof ClusterSchema> {
  const { server, name, project = '', labels = {}, annotations = {}, namespaces = [] } = cluster
  const connectionState = { status: 'Unknown', message: 'Wadi does not connect to clusters' }
  const info = { connectionState }
  return { server, name, project, labels, annotations, namespaces: [...namespaces], connectionState, info }
}

/** @throws InvalidInputError when the query names no cluster */
function requiredCluster(query: ClusterQuery): string {
  const cluster = clusterOf(query)
  if (cluster === '') throw new InvalidInputError('server or name of the cluster is required')
  return cluster
}

function clusterOf({ server, name, id }: ClusterQuery): string {
  if (!id) return server || name
  return id.type.endsWith('_escaped') ? unescaped(id.value) : id.value
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new InvalidInputError(`id of the cluster: ${JSON.stringify(text)} is not percent-encoded`, {
      cause,
    })
  }
}
