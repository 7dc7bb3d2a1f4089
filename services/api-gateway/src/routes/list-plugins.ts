import type { HandlerContext } from '@connectrpc/connect'
import type { ListPluginsRequest } from '@wadi/protocol/gen/wadi/plugins/v1/plugins_pb.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the config management plugins that repo-server can reach; every signed-in caller may know them. */
export function listPlugins({ repoServer }: GatewayContext) {
  return (request: ListPluginsRequest, { signal }: HandlerContext) =>
    repoServer.listPlugins(request, { signal })
}
