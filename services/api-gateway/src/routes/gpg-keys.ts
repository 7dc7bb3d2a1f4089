import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { GpgKeyService } from '@wadi/protocol/gen/wadi/api_gateway/v1/gpg_key_service_pb.ts'
import { type GpgKey, GpgKeySchema } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import type { GatewayContext } from '../context.ts'
import { changeStoredKeys, entryOf, keyIdOf, readEntries, storedKeys } from '../gpg-keys/stored-keys.ts'

/** The RPCs of GpgKeyService; as in Argo CD, a right is about all keys. */
export function gpgKeyRoutes(context: GatewayContext) {
  const { authorization, store, repoServer, commitServer } = context
  return {
    async listGpgKeys(_request, call) {
      authorization.require(call, 'gpgkeys', 'get', '')
      return { keys: await readEntries(context, await storedKeys(store), call.signal) }
    },
    async getGpgKey({ keyId: asked }, call) {
      authorization.require(call, 'gpgkeys', 'get', '')
      const entries = await storedKeys(store)
      const name = entryOf(entries, keyIdOf(asked))
      if (name === undefined) throw new NotFoundError(`GPG key ${asked} is not stored`)
      const keyData = entries[name] ?? ''
      const [key] = await readEntries(context, { [name]: keyData }, call.signal)
      return { key: { ...(key ?? create(GpgKeySchema)), keyData } }
    },
    /** Lists the public keys of hydrated commits. */
    async listSigningKeys(request, call) {
      authorization.require(call, 'gpgkeys', 'get', '')
      return commitServer.listSigningKeys(request, { signal: call.signal })
    },
    /** Stores all public keys of a text; keys that are stored are skipped unless they shall be replaced. */
    async createGpgKeys({ keyData, upsert }, call) {
      authorization.require(call, 'gpgkeys', 'create', '')
      const { keys } = await repoServer.readGpgKeys(
        { blocks: [keyData], armour: true },
        { signal: call.signal },
      )
      if (keys.length === 0) {
        throw new InvalidInputError(
          'the text holds no public GPG key; make one with: gpg --export --armor KEYID',
        )
      }
      return storeKeys(context, keys, upsert)
    },
    /** Removes a stored GPG key; what is signed with it is refused from then on. */
    async deleteGpgKey({ keyId: asked }, call) {
      authorization.require(call, 'gpgkeys', 'delete', '')
      const keyId = keyIdOf(asked)
      if (entryOf(await storedKeys(store), keyId) === undefined) {
        throw new NotFoundError(`GPG key ${asked} is not stored`)
      }
      await changeStoredKeys(store, (entries) => {
        const name = entryOf(entries, keyId)
        return Object.fromEntries(Object.entries(entries).filter(([entry]) => entry !== name))
      })
      return {}
    },
  } satisfies ServiceImpl<typeof GpgKeyService>
}

async function storeKeys({ store }: GatewayContext, keys: readonly GpgKey[], upsert: boolean) {
  const none = (): { created: GpgKey[]; updated: GpgKey[]; skipped: string[] } => ({
    created: [],
    updated: [],
    skipped: [],
  })
  let outcome = none()
  await changeStoredKeys(store, (entries) => {
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
