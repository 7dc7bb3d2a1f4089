import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { DeleteClusterRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/cluster_service_pb.ts'
import { credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { clusterObject } from '../authorization/policy-object.ts'
import { findCluster } from '../clusters/find-cluster.ts'
import type { GatewayContext } from '../context.ts'

/** Forgets a cluster; `in-cluster` is there again afterwards as nobody has stored it. */
export function deleteCluster(context: GatewayContext) {
  return async (request: DeleteClusterRequest, call: HandlerContext) => {
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
  }
}
