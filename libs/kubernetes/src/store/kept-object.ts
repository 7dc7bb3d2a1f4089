import { objectAt } from '@wadi/fields/json-fields.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { clientName } from '../connection/api-connection.ts'
import { withoutDescriptions } from './kept-definition.ts'

/**
 * The cached form of an object. Text takes less memory than the object, and each reader gets its own copy. Fields that
 * change with every write, whoever makes it, are beside the text: equal texts are one form of the object.
 */
export interface KeptObject {
  readonly text: string
  readonly resourceVersion: string | undefined
  readonly generation: number | undefined
}

/** Of a status that Argo CD keeps, what grows with the resources and the age of an Application, and when it last looked. */
const droppedStatusFields: readonly string[] = [
  'history',
  'observedAt',
  'operationState',
  'reconciledAt',
  'resources',
  'summary',
]

/** The kinds whose status nobody reads here. */
const withoutStatus: readonly string[] = [
  'CustomResourceDefinition',
  'Namespace',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]

/**
 * Returns what is kept of an object: all but who wrote its fields, the status of kinds of the cluster, descriptions in definitions and, of an Application,
 * parts of Argo CD's status. Where somebody else wrote when its hydration began, the one entry of `managedFields` names him.
 */
export function keptObject(object: Resource): KeptObject {
  const { resourceVersion, generation, managedFields, ...metadata } = object.metadata
  const kept = { ...object, metadata }
  if (withoutStatus.includes(object.kind)) delete kept.status
  if (object.kind === 'CustomResourceDefinition') kept.spec = objectAt(withoutDescriptions(object.spec))
  if (object.kind === 'Application' && object.status !== undefined) {
    const fields = Object.entries(object.status).filter(([field]) => !droppedStatusFields.includes(field))
    kept.status = Object.fromEntries(fields)
    const manager = foreignHydrator(managedFields)
    if (manager !== undefined) kept.metadata['managedFields'] = [{ manager }]
  }
  return { text: JSON.stringify(kept), resourceVersion, generation }
}

/** Returns the writer other than Wadi when the newest hydration of an Application began. */
function foreignHydrator(managedFields: unknown): string | undefined {
  const entries = Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : []
  const managers = entries
    .filter((entry) =>
      hasField(entry['fieldsV1'], ['status', 'sourceHydrator', 'currentOperation', 'startedAt']),
    )
    .map((entry) => String(entry['manager']))
  return managers.includes(clientName) ? undefined : managers[0]
}

function hasField(set: unknown, [field, ...rest]: readonly string[]): boolean {
  if (field === undefined || !isJsonObject(set)) return isJsonObject(set)
  return hasField(set[`f:${field}`], rest)
}

/** Returns a copy of what is kept. */
export function readKept({ text, resourceVersion, generation }: KeptObject): Resource {
  const object: Resource = JSON.parse(text)
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion
  if (generation !== undefined) object.metadata.generation = generation
  return object
}

/** Returns an object as a reader of what is kept sees it. */
export function keptForm(object: Resource): Resource {
  return readKept(keptObject(object))
}
