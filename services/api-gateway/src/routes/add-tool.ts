import type { HandlerContext } from '@connectrpc/connect'
import type { AddToolRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'

/** A large archive from a slow mirror takes its time. */
const maxMs = 6 * 60_000

/** Has a repo-server download a version of a tool, for those who may change the settings. */
export function addTool(context: GatewayContext) {
  return async (request: AddToolRequest, call: HandlerContext) => {
    context.authorization.require(call, 'settings', 'update', `ConfigMap/${accountsConfigMap}`)
    return context.repoServer.addTool(request, { signal: call.signal, timeoutMs: maxMs })
  }
}
