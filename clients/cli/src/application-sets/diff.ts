import type { JsonObject } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { ApplyApplicationSetResponse } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { qualifiedName } from '../applications/application-name.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import type { ObjectDifference } from '../applications/manifest-diff.ts'

/** The planned change of one object. */
export interface SetDifference extends ObjectDifference {
  /** The reason why nothing would be done; empty if something would. */
  reason: string
}

/** The metadata fields that the store, and not the user, writes. */
const storeFields = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'ownerReferences',
])

/**
 * Returns what storing a set would do: to the set itself, `stored` being what is there, and to its Applications. Those
 * that are generated no longer and stay are among it, with the reason.
 */
export function setDifferences(answer: ApplyApplicationSetResponse, stored: JsonObject): SetDifference[] {
  const { applicationSet: wanted = {}, outcome, changes } = answer
  const differences: SetDifference[] = []
  if (outcome !== 'unchanged') {
    const action = outcome === 'created' ? 'create' : 'update'
    const title = `${action} ApplicationSet ${qualifiedName(wanted)}`
    differences.push({ title, before: yaml(stored), after: yaml(wanted), reason: '' })
  }
  const namespace = textAt(wanted, 'metadata', 'namespace')
  for (const { action, name, before = {}, after = {} } of changes) {
    if (action === 'unchanged') continue
    const title = `${action} Application ${namespace === '' ? name : `${namespace}/${name}`}`
    const reason = action === 'keep' ? keptReason(answer.withheld) : ''
    differences.push({ title, before: yaml(before), after: yaml(after), reason })
  }
  return differences
}

function keptReason(withheld: string): string {
  return withheld === ''
    ? 'no longer generated; kept, because spec.syncPolicy.applicationsSync deletes none'
    : 'no longer generated; its deletion needs a confirmation'
}

function yaml(object: JsonObject): string {
  if (Object.keys(object).length === 0) return ''
  const { status: _status, ...rest } = object
  const entries = Object.entries(objectAt(object, 'metadata')).filter(
    ([field, value]) => !storeFields.has(field) && !(isJsonObject(value) && Object.keys(value).length === 0),
  )
  return emitManifests([manifestFromJson(JSON.stringify({ ...rest, metadata: Object.fromEntries(entries) }))])
}
