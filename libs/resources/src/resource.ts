/** The owner of an object, in Kubernetes' shape. */
interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** The names and descriptions of an object; fields that are not listed are kept as they came. */
export interface ResourceMetadata {
  name: string
  namespace?: string
  /** Given by the store at creation, never reused. */
  uid?: string
  /** Given by the store at every change; opaque to callers, compared for equality alone. */
  resourceVersion?: string
  /** Given by the store: 1 at creation, more after each change of `spec`, and after others as the store likes. */
  generation?: number
  /** Given by the store: RFC 3339, whole seconds, UTC. */
  creationTimestamp?: string
  /** Given by the store to an object that is deleted once its finalizers are gone. */
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  /** The tasks of others before a deleted object goes; each removes its own. */
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  [field: string]: unknown
}

/** A Kubernetes-shaped object; fields that are not listed are kept as they came. */
export interface Resource {
  apiVersion: string
  kind: string
  metadata: ResourceMetadata
  spec?: Record<string, unknown>
  status?: Record<string, unknown>
  /** The values of a ConfigMap as text, of a Secret in base64. */
  data?: Record<string, string>
  /** The values of a Secret as text; the store folds them into `data`. */
  stringData?: Record<string, string>
  [field: string]: unknown
}

/** True if an object is deleted and stays only until its finalizers are gone. */
export function isBeingDeleted({ metadata }: Resource): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Returns `kind/namespace/name`, which no other object of a store has; without a namespace its part is empty. */
export function resourceKey(resource: Resource): string {
  return `${resource.kind}/${resource.metadata.namespace ?? ''}/${resource.metadata.name}`
}
