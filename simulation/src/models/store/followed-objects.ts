import { UnavailableError } from '@wadi/errors/domain-error.ts'
import { isBeingDeleted, type Resource } from '@wadi/resources/resource.ts'
import type { ResourceList } from '@wadi/resources/store/resource-store.ts'
import type { StoreLink } from './model-store.ts'

const retryMs = 1_000

interface FollowedKind {
  readonly objects: Map<string, Resource>
  /** The versions at which objects were deleted. */
  readonly gone: Map<string, number>
  readonly synced: Promise<void>
  version: number
}

/** The objects that a process of a cluster has heard of: those of a kind from its first read on, each change late, its own at once. */
export class FollowedObjects implements Disposable {
  readonly #link: StoreLink
  readonly #kinds = new Map<string, FollowedKind>()
  readonly #following = new DisposableStack()

  constructor(link: StoreLink) {
    this.#link = link
  }

  async get(kind: string, namespace: string, name: string): Promise<Resource | undefined> {
    const followed = this.#follow(kind)
    await followed.synced
    return followed.objects.get(`${namespace}/${name}`)
  }

  async list(kind: string): Promise<ResourceList> {
    const followed = this.#follow(kind)
    await followed.synced
    const sorted = [...followed.objects].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return {
      items: sorted.map(([, object]) => object),
      resourceVersion: String(followed.version),
    }
  }

  /** Takes over what the process wrote. */
  written(resource: Resource): void {
    const { kind, metadata } = resource
    const isGone = isBeingDeleted(resource) && (metadata.finalizers ?? []).length === 0
    const followed = this.#kinds.get(kind)
    if (isGone) this.#forget(resource, metadata.resourceVersion)
    else if (followed) putNewer(followed, resource)
  }

  /** Takes over what the server has of an object, and how new that is. */
  heard(
    object: Pick<Resource, 'kind' | 'metadata'>,
    { now, version }: { now: Resource | undefined; version: string },
  ): void {
    if (now) this.written(now)
    else this.#forget(object, version)
  }

  #forget({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>, version: string | undefined): void {
    const followed = this.#kinds.get(kind)
    const key = keyOf(metadata)
    followed?.objects.delete(key)
    followed?.gone.set(key, Number(version))
  }

  /** Takes over an object as the server has it. */
  async readAgain(resource: Resource): Promise<void> {
    const { kind, metadata } = resource
    const found = await this.#link.ask(`get ${kind} ${metadata.name}`, (server) => ({
      now: server.get(kind, metadata.namespace ?? '', metadata.name),
      version: server.version,
    }))
    this.heard(resource, found)
  }

  [Symbol.dispose](): void {
    this.#following.dispose()
  }

  /** Lists a kind, again and again until there is an answer. */
  async #list(kind: string): Promise<{ items: Resource[]; version: string }> {
    for (;;) {
      try {
        return await this.#link.ask(`list ${kind}`, (server) => ({
          items: server.list(kind),
          version: server.version,
        }))
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #follow(kind: string): FollowedKind {
    const known = this.#kinds.get(kind)
    if (known) return known
    const { promise: synced, resolve } = Promise.withResolvers<void>()
    const followed: FollowedKind = { objects: new Map(), gone: new Map(), synced, version: 0 }
    this.#kinds.set(kind, followed)
    void this.#start(kind, followed).then(resolve)
    return followed
  }

  async #start(kind: string, followed: FollowedKind): Promise<void> {
    const first = await this.#list(kind)
    for (const resource of first.items) putNewer(followed, resource)
    followed.version = Number(first.version)
    this.#following.use(
      this.#link.follow(kind, first.version, ({ type, resource }) => {
        const { resourceVersion } = resource.metadata
        followed.version = Math.max(followed.version, Number(resourceVersion))
        if (type !== 'deleted') putNewer(followed, resource)
        else if (isNewer(followed, resource)) this.#forget(resource, resourceVersion)
      }),
    )
  }
}

function keyOf({ namespace = '', name }: Resource['metadata']): string {
  return `${namespace}/${name}`
}

/** Versions only grow, and what the process did itself may be newer than what it hears. */
function isNewer({ objects, gone }: FollowedKind, { metadata }: Resource): boolean {
  const key = keyOf(metadata)
  const known = Math.max(Number(objects.get(key)?.metadata.resourceVersion ?? 0), gone.get(key) ?? 0)
  return Number(metadata.resourceVersion) > known
}

function putNewer(followed: FollowedKind, resource: Resource): void {
  if (isNewer(followed, resource)) followed.objects.set(keyOf(resource.metadata), resource)
}
