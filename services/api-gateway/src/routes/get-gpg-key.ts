import { create } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GetGpgKeyRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { GpgKeySchema } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import type { GatewayContext } from '../context.ts'
import { entryOf, keyIdOf, readEntries, storedKeys } from '../gpg-keys/stored-keys.ts'

/** Returns one stored GPG key with its text. */
export function getGpgKey(context: GatewayContext) {
  return async ({ keyId: asked }: GetGpgKeyRequest, call: HandlerContext) => {
    context.authorization.require(call, 'gpgkeys', 'get', '')
    const entries = await storedKeys(context.store)
    const name = entryOf(entries, keyIdOf(asked))
    if (name === undefined) throw new NotFoundError(`GPG key ${asked} is not stored`)
    const keyData = entries[name] ?? ''
    const [key] = await readEntries(context, { [name]: keyData }, call.signal)
    return { key: { ...(key ?? create(GpgKeySchema)), keyData } }
  }
}
