import type { HandlerContext } from '@connectrpc/connect'
import type { ListRepositoriesRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { visibleRepositories } from '../repositories/repository-access.ts'

/** Lists the repositories with read or with write credentials that the caller may see. */
export function listRepositories(context: GatewayContext) {
  return async ({ write, refresh }: ListRepositoriesRequest, call: HandlerContext) => {
    const visible = await visibleRepositories(context, call, { write, refresh: false })
    // No remote is reached for somebody who may see none.
    if (!refresh || visible.length === 0) return { repositories: visible }
    return { repositories: await visibleRepositories(context, call, { write, refresh }) }
  }
}
