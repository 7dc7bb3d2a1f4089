import { createHmac } from 'node:crypto'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { canonicalJson } from './canonical-json.ts'
import { manifestIdentity } from './manifest.ts'
import type { JsonValue, Manifest } from './manifest.ts'

/** Characters of a hash: enough that two values of one comparison do not look alike, too few to search for a value. */
const shownDigits = 10

// kubectl keeps a copy of the whole object, values included, in this annotation.
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Returns an object before and after a change with the values of Secrets masked: equal values get equal masks and
 * differing ones masks of different length, so that a comparison still shows what changed. Other objects are kept.
 */
export function maskedSecrets(
  before: Manifest | undefined,
  after: Manifest | undefined,
): [before: Manifest | undefined, after: Manifest | undefined] {
  return [before && maskAgainst(before, after, '++++++++'), after && maskAgainst(after, before, '+++++++++')]
}

function maskAgainst(manifest: Manifest, other: Manifest | undefined, changedSign: string): Manifest {
  return maskSecret(manifest, (value, field, key) => {
    if (key === undefined) return field === lastApplied ? '++++++++' : changedSign
    const others = other?.[field]
    const same = isJsonObject(others) && Object.hasOwn(others, key) ? others[key] : undefined
    return value === same ? '++++++++' : changedSign
  })
}

/**
 * Returns an object with the values of a Secret replaced by hashes under a secret key: whoever reads them sees which values
 * differ and cannot try values out. Equal values have equal hashes only under equal `name` and key of the Secret.
 * @param name what the hashes are comparable for, for example the identity of the object before it changed
 */
export function hashedSecret(manifest: Manifest, hashKey: Uint8Array, name: string): Manifest {
  return maskSecret(manifest, (value, field, key) => {
    const hash = createHmac('sha256', hashKey).update(canonicalJson([name, field, key ?? null, value]))
    return `<hidden ${hash.digest('hex').slice(0, shownDigits)}>`
  })
}

/** Returns an object with the values of a Secret replaced by one mask for all, so that it says only which keys there are. */
export function blankSecret(manifest: Manifest): Manifest {
  return maskSecret(manifest, () => '++++++++')
}

/** True if an object is a Secret of Kubernetes. */
export function isSecret(manifest: Manifest): boolean {
  const { group, kind } = manifestIdentity(manifest)
  return group === '' && kind === 'Secret'
}

/** Makes the mask of a value; `key` is undefined for a whole field of a wrong type, and for an annotation. */
type MaskOf = (value: JsonValue, field: string, key: string | undefined) => string

function maskSecret(manifest: Manifest, maskOf: MaskOf): Manifest {
  if (!isSecret(manifest)) return manifest
  const masked: Manifest = { ...manifest }
  for (const field of ['data', 'stringData']) {
    const values = manifest[field]
    if (values === undefined) continue
    masked[field] = isJsonObject(values)
      ? maskValues(values, field, maskOf)
      : maskOf(values, field, undefined)
  }
  return withoutLastApplied(masked, maskOf)
}

function maskValues(values: Manifest, field: string, maskOf: MaskOf): Manifest {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]): [string, JsonValue] => [key, maskOf(value, field, key)]),
  )
}

function withoutLastApplied(manifest: Manifest, maskOf: MaskOf): Manifest {
  const { metadata } = manifest
  if (!isJsonObject(metadata)) return manifest
  const { annotations } = metadata
  if (!isJsonObject(annotations)) return manifest
  const { [lastApplied]: copy } = annotations
  if (copy === undefined) return manifest
  const masked = maskOf(copy, lastApplied, undefined)
  return { ...manifest, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: masked } } }
}
