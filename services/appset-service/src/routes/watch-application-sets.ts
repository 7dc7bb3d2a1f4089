import type { HandlerContext } from '@connectrpc/connect'
import type { WatchApplicationSetsRequest } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { watchKinds } from '@wadi/resources/store/watch-kinds.ts'
import { decidedVersion } from '@wadi/resources/decided-version.ts'
import { shownObject } from '@wadi/resources/shown-object.ts'
import { accessOf } from '../access/end-user.ts'
import { maySet } from '../access/set-access.ts'
import { listedNamespaces, permittedNamespace } from '../access/set-namespace.ts'
import { ownerUid } from '../changes/owned-applications.ts'
import type { AppsetServiceContext } from '../context.ts'

/**
 * Streams the ApplicationSets that the user may see, and their changes: one that comes into sight is added, one that goes
 * out of it is deleted, as it was last delivered.
 */
export function watchApplicationSets(context: AppsetServiceContext, draining: AbortSignal) {
  return async function* ({ namespace: wanted, name }: WatchApplicationSetsRequest, call: HandlerContext) {
    const signal = AbortSignal.any([call.signal, draining])
    // A name alone means the one in the namespace of the control plane.
    const namespace = name === '' ? wanted : permittedNamespace(context, wanted)
    const { selection, includes } = listedNamespaces(context, namespace)
    const isListed = ({ metadata }: Resource): boolean => includes(metadata.namespace)
    const { store } = context
    const scene = new Scene()
    // The Applications are read later than the sets: none that decides about a set's visibility is missing.
    const sets = await store.list('ApplicationSet', selection)
    const applications = await store.list('Application', selection)
    for (const resource of [...applications.items, ...sets.items].filter(isListed))
      scene.put({ type: 'added', resource })
    const reported = new Map<string, Resource>()
    const report = function* (uid: string) {
      const set = scene.sets.get(uid)
      const before = reported.get(uid)
      // Asked for each time, since the policy changes while the stream lasts.
      const isVisible = set !== undefined && maySet(accessOf(context, call), 'get', set, scene.ownedBy(uid))
      if (isVisible && set !== before) {
        reported.set(uid, set)
        yield {
          type: before ? 'MODIFIED' : 'ADDED',
          applicationSet: shownObject(set),
          version: decidedVersion(set),
        }
      } else if (!isVisible && before) {
        reported.delete(uid)
        yield { type: 'DELETED', applicationSet: shownObject(before) }
      }
    }
    const isWanted = (uid: string | undefined): uid is string =>
      uid !== undefined && (name === '' || (scene.sets.get(uid) ?? reported.get(uid))?.metadata.name === name)
    for (const uid of scene.sets.keys()) if (isWanted(uid)) yield* report(uid)
    const kinds = [
      { kind: 'ApplicationSet', fromResourceVersion: sets.resourceVersion },
      { kind: 'Application', fromResourceVersion: applications.resourceVersion },
    ]
    for await (const event of watchKinds(store, kinds, signal)) {
      if (!isListed(event.resource)) continue
      for (const uid of scene.put(event)) if (isWanted(uid)) yield* report(uid)
    }
  }
}

/** The sets and Applications as far as a watch knows them, by the `uid` of the set. */
class Scene {
  readonly sets = new Map<string, Resource>()
  readonly #applications = new Map<string, Map<string, Resource>>()
  readonly #owners = new Map<string, string>()
  readonly #uids = new Map<string, string>()

  ownedBy(uid: string): Resource[] {
    return [...(this.#applications.get(uid)?.values() ?? [])]
  }

  /** Takes a change over and returns the sets that it may show, hide or change. */
  put(event: ResourceEvent): Set<string | undefined> {
    return event.resource.kind === 'Application' ? this.#putApplication(event) : this.#putSet(event)
  }

  /** A deletion may carry the name alone. */
  #putSet({ type, resource }: ResourceEvent): Set<string | undefined> {
    const key = resourceKey(resource)
    const before = this.#uids.get(key)
    const uid = type === 'deleted' ? undefined : resource.metadata.uid
    if (before !== undefined && before !== uid) this.sets.delete(before)
    if (uid === undefined) {
      this.#uids.delete(key)
    } else {
      const isOld = this.sets.get(uid)?.metadata.resourceVersion === resource.metadata.resourceVersion
      if (!isOld) this.sets.set(uid, resource)
      this.#uids.set(key, uid)
    }
    return new Set([before, uid])
  }

  #putApplication({ type, resource }: ResourceEvent): Set<string | undefined> {
    const key = resourceKey(resource)
    const before = this.#owners.get(key)
    const owner = type === 'deleted' ? undefined : ownerUid(resource)
    if (before !== undefined && before !== owner) this.#applications.get(before)?.delete(key)
    if (owner === undefined) {
      this.#owners.delete(key)
    } else {
      const owned = this.#applications.get(owner) ?? new Map<string, Resource>()
      this.#applications.set(owner, owned.set(key, resource))
      this.#owners.set(key, owner)
    }
    return new Set([before, owner])
  }
}
