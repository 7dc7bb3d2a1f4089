import type { FollowedObjects } from '@wadi/kubernetes/store/followed-kind.ts'
import { controlPlaneNamespace, credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { FollowedNamespaces } from './application-namespaces.ts'

/** A verb of Kubernetes' roles that changes objects. */
type WriteVerb = 'create' | 'update' | 'patch' | 'delete'

/** Which objects of a kind a service uses in a cluster, and what it does with them. */
export interface StoredObjects {
  readonly kind: string
  /** False where objects are read one by one and never listed, such as Events; true by default. */
  readonly isFollowed?: false
  /** `applications`: in the namespaces of Applications; `control plane`: in that of Wadi's own objects; `credentials`: in that of the Secrets that services share; `cluster`: in
   * none, as their kind has no namespaces; else in one by its name. */
  readonly within:
    | 'applications'
    | 'control plane'
    | 'credentials'
    | 'cluster'
    | { readonly namespace: string }
  /** The names of those that are followed; with neither names nor labels, all are. */
  readonly names?: readonly string[]
  /** False where others are read as well, without being followed; with names alone it is true. */
  readonly isReadByName?: false
  /** The label selector of those that are followed. */
  readonly labelSelector?: string
  /** The service's verbs other than get, and list and watch of followed objects. */
  readonly writes?: readonly WriteVerb[]
  /** The service's verbs for the subresource `status`. */
  readonly statusWrites?: readonly WriteVerb[]
}

/** Returns which objects of each kind a store follows. */
export function followedObjects(
  objects: readonly StoredObjects[],
  applications: FollowedNamespaces,
): Record<string, FollowedObjects[]> {
  const followed: Record<string, FollowedObjects[]> = {}
  for (const { kind, within, names = [], labelSelector } of objects.filter(isFollowed)) {
    const namespaces = namespacesOf(within, applications)
    const scope = within === 'applications' ? applications : { ...(namespaces && { namespaces }) }
    const selected = [
      ...names.map((name) => ({ ...scope, name })),
      ...(labelSelector === undefined ? [] : [{ ...scope, labelSelector }]),
    ]
    followed[kind] = [...(followed[kind] ?? []), ...(selected.length === 0 ? [scope] : selected)]
  }
  return followed
}

/** True if a service lists and watches the objects. */
export function isFollowed(objects: Pick<StoredObjects, 'isFollowed'>): boolean {
  return objects.isFollowed !== false
}

/** One permission, as a role grants it. */
export interface Permission {
  readonly verb: string
  readonly kind: string
  readonly subresource?: 'status'
  /** All namespaces when it is missing. */
  readonly namespace?: string
  /** All objects when it is missing. */
  readonly name?: string
}

/** Returns the rights that a service needs for its objects. */
export function neededRights(
  objects: readonly StoredObjects[],
  applications: FollowedNamespaces,
): Permission[] {
  return objects.flatMap((stored) => {
    const { kind, within, names = [], isReadByName, labelSelector, writes = [], statusWrites = [] } = stored
    const scopes = namespacesOf(within, applications)?.map((namespace) => ({ namespace })) ?? [{}]
    const isByName = names.length > 0 && labelSelector === undefined && isReadByName !== false
    const read = isByName ? names.map((name) => ({ name })) : [{}]
    const reads = isFollowed(stored) ? ['get', 'list', 'watch'] : ['get']
    const rights = [
      ...read.flatMap((named) => reads.map((verb) => ({ kind, verb, ...named }))),
      ...writes.map((verb) => ({ kind, verb })),
      ...statusWrites.map((verb) => ({ kind, verb, subresource: 'status' as const })),
    ]
    return scopes.flatMap((scope) => rights.map((right) => ({ ...right, ...scope })))
  })
}

/** Undefined for all. */
function namespacesOf(
  within: StoredObjects['within'],
  applications: FollowedNamespaces,
): readonly string[] | undefined {
  if (within === 'cluster') return undefined
  if (within === 'applications') return 'namespaces' in applications ? applications.namespaces : undefined
  if (within === 'credentials') return [credentialsNamespace]
  return [within === 'control plane' ? controlPlaneNamespace : within.namespace]
}
