import { createHash } from 'node:crypto'
import { isClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { type Resource, resourceKey } from '@wadi/resources/resource.ts'
import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { authorCondition, conditionsOf } from '../access/author.ts'
import { ownerUid } from '../changes/owned-applications.ts'

/** The known facts of an object. */
interface KnownObject {
  /** Equal for states that make no difference here. */
  digest: string
  /** Of an Application: the `uid` of the set that controls it. */
  owner: string | undefined
  isCluster: boolean
}

/** A change that matters, with both states, as an object may have been handed over. */
export interface NotedChange {
  before: KnownObject | undefined
  now: KnownObject | undefined
}

/** The last delivered state of each object, so that changes of a status alone are recognized. */
export class KnownObjects {
  readonly #objects = new Map<string, KnownObject>()

  /** Takes a change in; undefined for one that makes no difference. */
  note({ type, resource }: ResourceEvent): NotedChange | undefined {
    const key = resourceKey(resource)
    const before = this.#objects.get(key)
    if (type === 'deleted') {
      this.#objects.delete(key)
      return { before, now: undefined }
    }
    const now = {
      digest: digestOf(resource),
      owner: resource.kind === 'Application' ? ownerUid(resource) : undefined,
      isCluster: isClusterSecret(resource),
    }
    this.#objects.set(key, now)
    return before?.digest === now.digest ? undefined : { before, now }
  }

  /** Forgets everything, so that each object is treated as new. */
  clear(): void {
    this.#objects.clear()
  }
}

/** Everything but what the store adds with each write and the status; of a status, who a set is made for. */
function digestOf({ metadata, status, ...rest }: Resource): string {
  const { resourceVersion: _version, ...kept } = metadata
  const author = rest.kind === 'ApplicationSet' ? conditionsOf(status).find(isAuthor)?.['message'] : undefined
  return createHash('sha256')
    .update(JSON.stringify([kept, rest, author]))
    .digest('base64url')
}

function isAuthor({ type }: Record<string, unknown>): boolean {
  return type === authorCondition
}
