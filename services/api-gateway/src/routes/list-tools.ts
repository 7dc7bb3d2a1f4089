import type { HandlerContext } from '@connectrpc/connect'
import type { ListToolsRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the versions of Helm and Kustomize of one repo-server; every signed-in caller may know them, as they choose among them in git. */
export function listTools({ repoServer }: GatewayContext) {
  return (request: ListToolsRequest, { signal }: HandlerContext) => repoServer.listTools(request, { signal })
}
