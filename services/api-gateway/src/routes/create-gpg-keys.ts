import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { CreateGpgKeysRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import type { GpgKey } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import type { GatewayContext } from '../context.ts'
import { changeStoredKeys, entryOf } from '../gpg-keys/stored-keys.ts'

/** Stores all public keys of a text; keys that are stored are skipped unless they shall be replaced. */
export function createGpgKeys(context: GatewayContext) {
  return async ({ keyData, upsert }: CreateGpgKeysRequest, call: HandlerContext) => {
    context.authorization.require(call, 'gpgkeys', 'create', '')
    const { keys } = await context.repoServer.readGpgKeys(
      { blocks: [keyData], armour: true },
      { signal: call.signal },
    )
    if (keys.length === 0) {
      throw new InvalidInputError(
        'the text holds no public GPG key; make one with: gpg --export --armor KEYID',
      )
    }
    let outcome: { created: GpgKey[]; updated: GpgKey[]; skipped: string[] }
    const none = (): typeof outcome => ({ created: [], updated: [], skipped: [] })
    outcome = none()
    await changeStoredKeys(context.store, (entries) => {
      // A change that lost a race is made again from the start.
      outcome = none()
      const next = { ...entries }
      for (const key of keys) {
        const name = entryOf(entries, key.keyId)
        const isReplaced = upsert && name !== undefined && entries[name] !== key.keyData
        if (name !== undefined && !isReplaced) outcome.skipped.push(key.keyId)
        else outcome[isReplaced ? 'updated' : 'created'].push({ ...key, keyData: '' })
        if (name === undefined || isReplaced) next[name ?? key.keyId] = key.keyData
      }
      return next
    })
    return outcome
  }
}
