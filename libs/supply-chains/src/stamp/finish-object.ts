import { TypedFields } from '@wadi/fields/typed-fields.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { locatedMap, partOf } from '@wadi/params/values/located.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'

/** The metadata of every object of an owner. */
interface ObjectMarks {
  /** The owner's namespace; empty when it names none. */
  namespace: string
  labels: ReadonlyMap<string, string>
}

/**
 * Returns a stamped object with the owner's namespace and the labels of Cartographer, and without owner references: there
 * is not a live owner, and garbage collection would delete the object.
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
  const findings: string[] = []
  const fields = new TypedFields(locatedView, ({ message }) => findings.push(message))
  if (!fields.isObject(stamped, 'the stamped object')) return findings
  for (const field of ['apiVersion', 'kind']) fields.requiredString(stamped, field, '')
  const metadata = fields.object(stamped, 'metadata', '') ?? { value: new Map(), at: stamped.at }
  const isNamed = ['name', 'generateName'].some((field) => isFilledText(fields.any(metadata, field)))
  if (!isNamed) fields.requiredString(metadata, 'name', 'metadata.')
  const own = fields.any(metadata, 'namespace')?.value ?? ''
  if (own !== '' && own !== namespace) findings.push('cannot set namespace in resource template')
  fields.object(metadata, 'labels', 'metadata.')
  return findings
}

function isFilledText(node: Located | undefined): boolean {
  return typeof node?.value === 'string' && node.value !== ''
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
