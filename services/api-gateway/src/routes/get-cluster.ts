import type { HandlerContext } from '@connectrpc/connect'
import type { GetClusterRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { clusterMessage, inClusterMessage } from '../clusters/cluster-message.ts'
import { findCluster } from '../clusters/find-cluster.ts'
import type { GatewayContext } from '../context.ts'

/** Returns one cluster. */
export function getCluster(context: GatewayContext) {
  return async ({ cluster }: GetClusterRequest, call: HandlerContext) => {
    const { secret } = await findCluster(context, call, cluster)
    return { cluster: secret ? clusterMessage(secret) : inClusterMessage }
  }
}
