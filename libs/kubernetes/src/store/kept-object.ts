import type { Resource } from '@wadi/resources/resource.ts'

/**
 * What is kept of an object. Text takes less memory than the object, and each reading of it is the reader's own copy. What moves
 * with every write, whoever makes it, is beside the text: equal texts are one form of the object.
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

/** Returns what is kept of an object: all but who wrote its fields and, of an Application, parts of Argo CD's status. */
export function keptObject(object: Resource): KeptObject {
  const { resourceVersion, generation, managedFields: _, ...metadata } = object.metadata
  const kept = { ...object, metadata }
  if (object.kind === 'Application' && object.status !== undefined) {
    const fields = Object.entries(object.status).filter(([field]) => !droppedStatusFields.includes(field))
    kept.status = Object.fromEntries(fields)
  }
  return { text: JSON.stringify(kept), resourceVersion, generation }
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
