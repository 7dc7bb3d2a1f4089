import { isJsonObject } from '@wadi/fields/json-object.ts'
import { manifestIdentity } from './manifest.ts'
import type { JsonValue, Manifest } from './manifest.ts'

/**
 * Returns an object before and after a change with the values of Secrets masked: equal values get equal masks and
 * differing ones masks of different length, so that a comparison still shows what changed. Other objects are kept.
 */
export function maskedSecrets(
  before: Manifest | undefined,
  after: Manifest | undefined,
): [before: Manifest | undefined, after: Manifest | undefined] {
  return [before && maskSecret(before, after, '++++++++'), after && maskSecret(after, before, '+++++++++')]
}

function maskSecret(manifest: Manifest, other: Manifest | undefined, changedSign: string): Manifest {
  const { group, kind } = manifestIdentity(manifest)
  if (group !== '' || kind !== 'Secret') return manifest
  const masked: Manifest = { ...manifest }
  for (const field of ['data', 'stringData']) {
    const values = manifest[field]
    if (values === undefined) continue
    masked[field] = isJsonObject(values) ? maskValues(values, other?.[field], changedSign) : changedSign
  }
  return withoutLastApplied(masked)
}

function maskValues(values: Manifest, others: JsonValue | undefined, changedSign: string): Manifest {
  const entries = Object.entries(values).map(([key, value]): [string, JsonValue] => {
    const other = isJsonObject(others) && Object.hasOwn(others, key) ? others[key] : undefined
    return [key, value === other ? '++++++++' : changedSign]
  })
  return Object.fromEntries(entries)
}

// kubectl keeps a copy of the whole object, values included, in this annotation.
function withoutLastApplied(manifest: Manifest): Manifest {
  const { metadata } = manifest
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return manifest
  const name = 'kubectl.kubernetes.io/last-applied-configuration'
  if (!Object.hasOwn(metadata['annotations'], name)) return manifest
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...metadata['annotations'], [name]: '++++++++' } },
  }
}
