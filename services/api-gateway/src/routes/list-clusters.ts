import type { HandlerContext } from '@connectrpc/connect'
import type { ListClustersRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { clusterMessage, inClusterMessage } from '../clusters/cluster-message.ts'
import { visibleClusters } from '../clusters/find-cluster.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the clusters that the caller may see. */
export function listClusters(context: GatewayContext) {
  return async (_request: ListClustersRequest, call: HandlerContext) => {
    const known = await visibleClusters(context, call)
    return { clusters: known.map(({ secret }) => (secret ? clusterMessage(secret) : inClusterMessage)) }
  }
}
