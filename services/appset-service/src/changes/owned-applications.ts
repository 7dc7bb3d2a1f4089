import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

const kind = 'ApplicationSet'

/**
 * Returns whether an Application belongs to a set: by the `uid` of its controller, never by the name, which a set that
 * was deleted and created again has too.
 */
export function isOwnedBy(application: Resource, set: Resource): boolean {
  const { uid } = set.metadata
  return uid !== undefined && ownerUid(application) === uid
}

/** The `uid` of the ApplicationSet that controls an Application; undefined for one that no set controls. */
export function ownerUid(application: Resource): string | undefined {
  const owners = application.metadata.ownerReferences
  if (!Array.isArray(owners)) return undefined
  return owners.find((owner) => owner.controller === true && owner.kind === kind)?.uid
}

/** Returns the owner reference by which Applications name the stored set that controls them. */
export function ownerReference({ apiVersion, metadata }: Resource) {
  const { name, uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/** The Applications of a stored set, by name. */
export async function ownedApplications(
  store: Pick<ResourceStore, 'list'>,
  set: Resource,
): Promise<Resource[]> {
  const { namespace = controlPlaneNamespace } = set.metadata
  const { items } = await store.list('Application', { namespace })
  return items.filter((application) => isOwnedBy(application, set))
}
