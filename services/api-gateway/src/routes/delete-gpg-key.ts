import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { DeleteGpgKeyRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import type { GatewayContext } from '../context.ts'
import { changeStoredKeys, entryOf, keyIdOf, storedKeys } from '../gpg-keys/stored-keys.ts'

/** Removes a stored GPG key; what is signed with it is refused from then on. */
export function deleteGpgKey(context: GatewayContext) {
  return async ({ keyId: asked }: DeleteGpgKeyRequest, call: HandlerContext) => {
    context.authorization.require(call, 'gpgkeys', 'delete', '')
    const keyId = keyIdOf(asked)
    if (entryOf(await storedKeys(context.store), keyId) === undefined) {
      throw new NotFoundError(`GPG key ${asked} is not stored`)
    }
    await changeStoredKeys(context.store, (entries) => {
      const name = entryOf(entries, keyId)
      return Object.fromEntries(Object.entries(entries).filter(([entry]) => entry !== name))
    })
    return {}
  }
}
