import type { HandlerContext } from '@connectrpc/connect'
import type { ListSigningKeysRequest } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import type { GatewayContext } from '../context.ts'

/** Lists the public keys of hydrated commits, with the right to see the keys that are stored here. */
export function listSigningKeys(context: GatewayContext) {
  return async (request: ListSigningKeysRequest, call: HandlerContext) => {
    context.authorization.require(call, 'gpgkeys', 'get', '')
    return context.commitServer.listSigningKeys(request, { signal: call.signal })
  }
}
