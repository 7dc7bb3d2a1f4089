import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'

/** What every object of an owner gets. */
interface ObjectMarks {
  /** The owner's namespace; empty when it names none. */
  namespace: string
  labels: ReadonlyMap<string, string>
}

/**
 * Returns a stamped object with the owner's namespace and the labels of Cartographer, and without owner references: there
 * is no live owner, and garbage collection would delete the object.
 */
export function finishObject(stamped: Located, { namespace, labels }: ObjectMarks): Located {
  const { at } = partOf(stamped, 'metadata') ?? stamped
  const metadata = partsOf(partOf(stamped, 'metadata'))
  metadata.delete('ownerReferences')
  if (namespace !== '') metadata.set('namespace', { value: namespace, at })
  const allLabels = partsOf(metadata.get('labels'))
  for (const [key, value] of labels) allLabels.set(key, { value, at })
  metadata.set('labels', locatedMap(allLabels, at))
  return locatedMap(partsOf(stamped).set('metadata', locatedMap(metadata, at)), stamped.at)
}

/** Returns what keeps a stamped object from being a Kubernetes object of its owner. */
export function objectFindings(stamped: Located, namespace: string): string[] {
  if (!isValueMap(stamped.value)) return ['the stamped object must be an object']
  const findings: string[] = []
  for (const field of ['apiVersion', 'kind']) {
    const value = stamped.value.get(field) ?? ''
    if (value === '') findings.push(`the stamped object has no ${field}`)
    else if (!isFilledText(value)) findings.push(`${field} of the stamped object must be a string`)
  }
  const metadata = stamped.value.get('metadata') ?? new Map<string, Value>()
  if (!isValueMap(metadata)) return [...findings, 'metadata of the stamped object must be an object']
  if (!isFilledText(metadata.get('name')) && !isFilledText(metadata.get('generateName'))) {
    findings.push('the stamped object has no metadata.name')
  }
  const own = metadata.get('namespace') ?? ''
  if (own !== '' && own !== namespace) findings.push('cannot set namespace in resource template')
  const labels = metadata.get('labels') ?? new Map<string, Value>()
  if (!isValueMap(labels)) findings.push('metadata.labels of the stamped object must be an object')
  return findings
}

function isFilledText(value: Value | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function partsOf(located: Located | undefined): Map<string, Located> {
  const parts = new Map<string, Located>()
  if (located === undefined || !isValueMap(located.value)) return parts
  for (const key of located.value.keys()) {
    const part = partOf(located, key)
    if (part !== undefined) parts.set(key, part)
  }
  return parts
}
