import { create } from '@bufbuild/protobuf'
import { by } from '@wadi/order/by-name.ts'
import { AlreadyExistsError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { gpgKeysConfigMap } from '@wadi/hydration/source-verification.ts'
import { type GpgKey, GpgKeySchema } from '@wadi/protocol/gen/wadi/gpg_keys/v1/gpg_keys_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { mutate, type ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { GatewayContext } from '../context.ts'

type Entries = Readonly<Record<string, string>>

/** The stored keys in ASCII armour, by the name of their entry. */
export async function storedKeys(store: Pick<ResourceStore, 'get'>): Promise<Entries> {
  return (await store.get('ConfigMap', controlPlaneNamespace, gpgKeysConfigMap))?.data ?? {}
}

/**
 * Changes the stored keys as they are now: when somebody else was faster, they are read and changed again.
 * @param change returns the new entries; undefined to leave them alone
 */
export async function changeStoredKeys(
  store: ResourceStore,
  change: (entries: Entries) => Entries | undefined,
): Promise<void> {
  const metadata = { name: gpgKeysConfigMap, namespace: controlPlaneNamespace }
  if (!(await store.get('ConfigMap', metadata.namespace, metadata.name))) {
    try {
      await store.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} })
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error
    }
  }
  await mutate(store, 'ConfigMap', metadata.namespace, metadata.name, (current) => {
    const data = change(current.data ?? {})
    return data && { ...current, data: { ...data } }
  })
}

/**
 * Reads stored entries, sorted by key id; one whose text is not the key that its name says has an error.
 * @throws FailedPreconditionError when gpg is not installed where repo-server runs
 */
export async function readEntries(
  { repoServer }: Pick<GatewayContext, 'repoServer'>,
  entries: Entries,
  signal: AbortSignal,
): Promise<GpgKey[]> {
  if (Object.keys(entries).length === 0) return []
  const blocks = Object.values(entries).map((text) => Buffer.from(text))
  const { keys } = await repoServer.readGpgKeys({ blocks }, { signal })
  const shown = Object.keys(entries).map((name) => shownEntry(name, keys))
  return shown.toSorted(by(({ keyId }) => keyId))
}

/**
 * The key id of 16 digits of a key id or fingerprint.
 * @throws InvalidInputError
 */
export function keyIdOf(text: string): string {
  const id = text.replace(/^0x/i, '').toUpperCase()
  if (!isKeyName(id)) {
    throw new InvalidInputError(
      `${JSON.stringify(text.slice(0, 100))} is not a GPG key id; give the 16 hexadecimal digits or the fingerprint of 40`,
    )
  }
  return id.slice(-16)
}

/** The name of the entry of a key, which may be a key id or a fingerprint; undefined when it is not stored. */
export function entryOf(entries: Entries, keyId: string): string | undefined {
  return Object.keys(entries).find((name) => name.toUpperCase().endsWith(keyId))
}

function isKeyName(id: string): boolean {
  return /^(?:[0-9A-F]{16}|[0-9A-F]{40})$/.test(id)
}

function shownEntry(name: string, keys: readonly GpgKey[]): GpgKey {
  const id = name.toUpperCase()
  const key = isKeyName(id) ? keys.find(({ fingerprint }) => fingerprint.endsWith(id)) : undefined
  if (key) return key
  const error = isKeyName(id)
    ? `the text holds no public key ${name}`
    : 'the name of the entry is not a key id'
  return create(GpgKeySchema, { keyId: name, error })
}
