import type { HandlerContext } from '@connectrpc/connect'
import type { VerifyToolsRequest } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { accountsConfigMap } from '../accounts/sign-in-objects.ts'
import type { GatewayContext } from '../context.ts'

/** All programs are read whole. */
const maxMs = 2 * 60_000

/** Compares the files of all versions of tools with the list of releases, for those who may read the settings. */
export function verifyTools(context: GatewayContext) {
  return async (request: VerifyToolsRequest, call: HandlerContext) => {
    context.authorization.require(call, 'settings', 'get', `ConfigMap/${accountsConfigMap}`)
    return context.repoServer.verifyTools(request, { signal: call.signal, timeoutMs: maxMs })
  }
}
