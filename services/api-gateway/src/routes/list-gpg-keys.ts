import type { HandlerContext } from '@connectrpc/connect'
import type { ListGpgKeysRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { readEntries, storedKeys } from '../gpg-keys/stored-keys.ts'

/** Lists the stored GPG keys; as in Argo CD, the right is about all of them. */
export function listGpgKeys(context: GatewayContext) {
  return async (_request: ListGpgKeysRequest, call: HandlerContext) => {
    context.authorization.require(call, 'gpgkeys', 'get', '')
    return { keys: await readEntries(context, await storedKeys(context.store), call.signal) }
  }
}
