import { objectAt } from '@wadi/fields/json-fields.ts'
import { apiVersionOf } from '@wadi/kubernetes/client/api-resource.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceEvent, ResourcePatch } from '@wadi/resources/store/resource-store.ts'
import { ApiFailure } from '@wadi/testing/kubernetes-api/api-failure.ts'
import { ApiObjects } from '@wadi/testing/kubernetes-api/api-objects.ts'
import type { ReceivedRequest } from '@wadi/testing/kubernetes-api/api-request.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { type KindDefinition, readCustomKinds } from '@wadi/testing/kubernetes-api/kind-definition.ts'
import type { WorldObjects } from '../world-objects.ts'

/** An answer of the API, as HTTP has it. */
export interface ApiReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The ways in which a server disappoints: it does nothing for now, or it gives up on a request that took effect or did not. */
export type Trouble = 'busy' | 'late' | 'undone'

/** Returns the kinds that Wadi installs; they are read from a disk that is not the world's. */
export async function installedKinds(): Promise<readonly KindDefinition[]> {
  return (await Promise.all(crdFiles.map(readCustomKinds))).flat()
}

/** An API server and the objects of its cluster. */
export class ClusterServer implements WorldObjects {
  /** Returns the trouble that a request meets; undefined for none. */
  trouble: () => Trouble | undefined = () => undefined
  readonly #objects: ApiObjects

  constructor(kinds: readonly KindDefinition[]) {
    this.#objects = new ApiObjects(kinds)
  }

  get version(): string {
    return String(this.#objects.version)
  }

  get(kind: string, namespace: string, name: string): Resource | undefined {
    return this.#objects.get({ ...kindNamed(kind), metadata: { namespace, name } })
  }

  list(kind: string): Resource[] {
    return this.#objects.list(kindNamed(kind))
  }

  create(resource: Resource): Resource {
    return this.#objects.put(resource)
  }

  patch({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>, patch: ResourcePatch): Resource {
    const { namespace = '', name } = metadata
    return this.#objects.put({
      ...kindNamed(kind),
      ...patch,
      metadata: { ...objectAt(patch, 'metadata'), namespace, name },
    })
  }

  delete({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): void {
    this.#objects.remove({ ...kindNamed(kind), metadata })
  }

  onChange(kind: string, listener: (event: ResourceEvent) => void): void {
    this.#objects.onChange(kindNamed(kind), ({ previous, current }) => {
      const resource = current ?? previous
      const type = current === undefined ? 'deleted' : previous === undefined ? 'added' : 'modified'
      if (resource) listener({ type, resource })
    })
  }

  /** Forgets the history, so that whoever follows from an older version has to list again, and ends all watches. */
  compact(): void {
    this.#objects.compact()
    this.#objects.endWatches()
  }

  /** Says to all who follow how far they are, and ends their watches, as a server does now and then. */
  endWatches(): void {
    this.#objects.bookmark()
    this.#objects.endWatches()
  }

  /** Answers a request that is no watch. */
  answer(request: ReceivedRequest, body: unknown): ApiReply {
    return replied(() => {
      const trouble = this.trouble()
      if (trouble === 'busy') throw busy()
      if (trouble === 'undone') throw timedOut()
      const answer = this.#objects.answer(request, body)
      if (trouble === 'late') throw timedOut()
      return answer
    })
  }

  /** Begins a watch. @param output gets its events, once it began */
  watch(request: ReceivedRequest, output: Parameters<ApiObjects['watch']>[1]): ApiReply {
    return replied(() => {
      if (this.trouble() === 'busy') throw busy()
      this.#objects.watch(request, output)
      return { status: 200, body: undefined }
    })
  }
}

function replied(answer: () => { readonly status: number; readonly body: unknown }): ApiReply {
  try {
    const { status, body } = answer()
    return { status, headers: {}, text: JSON.stringify(body) ?? '' }
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const { retryAfterSeconds } = error.details
    const headers = typeof retryAfterSeconds === 'number' ? { 'retry-after': String(retryAfterSeconds) } : {}
    return { status: error.code, headers, text: JSON.stringify(error.status) }
  }
}

function busy(): ApiFailure {
  const message = 'the server is busy, please try again later'
  return new ApiFailure(429, 'TooManyRequests', message, { retryAfterSeconds: 1 })
}

function timedOut(): ApiFailure {
  const message = 'Timeout: request did not complete within requested timeout - context deadline exceeded'
  return new ApiFailure(504, 'Timeout', message)
}

function kindNamed(kind: string): Pick<Resource, 'apiVersion' | 'kind'> {
  return { apiVersion: apiVersionOf(usedResource(kind)), kind }
}
