import { setTimeout as delay } from 'node:timers/promises'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { ApiConnection, type ApiRequest, connectionLost } from '../connection/api-connection.ts'
import { type ApiResource, apiVersionOf, collectionPath, type ObjectKey, objectPath } from './api-resource.ts'
import { isStatus, type ListAnswer, readAnswer, readBody, type StatusAnswer } from './answers.ts'
import { type Selection, withQuery } from './selection.ts'
import { BusyError, statusError } from './status-error.ts'
import { timeLimit } from './time-limit.ts'
import { readWatchEvents, type WatchEvent } from './watch-events.ts'

/** Some objects of a kind, or all, at one moment. */
export interface ObjectPage {
  readonly items: Resource[]
  /** The moment; a watch from here misses nothing. */
  readonly resourceVersion: string
}

/** Where a watch begins. */
export interface WatchStart {
  /** Changes after this version are sent; without it every object is sent first, then a bookmark that says so. */
  readonly resourceVersion?: string | undefined
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds: number
  /** Called when the server has accepted the watch. */
  readonly onAccepted?: () => void
}

/** What a deletion leaves: an object that finalizers hold, or nothing. */
export type Deletion =
  | { readonly isGone: true; readonly uid: string | undefined }
  | { readonly isGone: false; readonly object: Resource }

/** An object is deleted only if it is still this one. */
export interface DeletePreconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

const callTimeoutMs = 30_000
/** Enough for a new server to prepare its cache of a large kind. */
const watchStartTimeoutMs = 60_000
const defaultPageSize = 500
const firstPauseMs = 100

/**
 * The Kubernetes API over one HTTP/2 connection. Errors of the API come as domain errors (`status-error.ts`). A call that the
 * server is too busy for (429) is repeated, which is safe since it did nothing, until the call's 30 s are over.
 */
export class KubernetesClient implements AsyncDisposable {
  readonly #connection: ApiConnection
  readonly #server: string

  /** @param pingIntervalMs how often the connection is checked; 10 s by default */
  constructor(config: ClusterConfig, pingIntervalMs?: number) {
    this.#connection = new ApiConnection(config, pingIntervalMs)
    this.#server = config.server
  }

  /** @throws NotFoundError */
  async get(resource: ApiResource, key: ObjectKey, signal?: AbortSignal): Promise<Resource> {
    return this.#call<Resource>({ method: 'GET', path: objectPath(resource, key) }, signal)
  }

  /**
   * Lists in pages that all show the moment of the first one.
   * @param pageSize 0 for one page of everything
   * @throws FailedPreconditionError with the code `expired` when that moment is no longer known
   */
  async *listPages(
    resource: ApiResource,
    selection: Selection,
    signal?: AbortSignal,
    pageSize = defaultPageSize,
  ): AsyncGenerator<ObjectPage> {
    const { namespace, ...selectors } = selection
    const path = collectionPath(resource, namespace)
    let token: string | undefined
    do {
      const query = { ...selectors, limit: pageSize === 0 ? undefined : pageSize, continue: token }
      const list = await this.#call<ListAnswer>({ method: 'GET', path: withQuery(path, query) }, signal)
      // The objects of a list of a built-in kind do not say their kind.
      const ofKind = { apiVersion: apiVersionOf(resource), kind: resource.kind }
      yield {
        items: (list.items ?? []).map((item) => ({ ...ofKind, ...item })),
        resourceVersion: list.metadata.resourceVersion,
      }
      token = list.metadata.continue
    } while (token !== undefined && token !== '')
  }

  /** Lists everything at once; for kinds of which there are few. */
  async list(resource: ApiResource, selection: Selection = {}, signal?: AbortSignal): Promise<ObjectPage> {
    const items: Resource[] = []
    let resourceVersion = ''
    for await (const page of this.listPages(resource, selection, signal)) {
      items.push(...page.items)
      resourceVersion = page.resourceVersion
    }
    return { items, resourceVersion }
  }

  /** @throws AlreadyExistsError, InvalidInputError */
  async create(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = collectionPath(resource, object.metadata.namespace)
    return this.#call<Resource>({ method: 'POST', path, body: JSON.stringify(object) }, signal)
  }

  /**
   * Replaces an object; `status` stays where the kind has that subresource.
   * @throws ConflictError when `resourceVersion` is not the stored one, NotFoundError, InvalidInputError
   */
  async update(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = objectPath(resource, object.metadata)
    return this.#call<Resource>({ method: 'PUT', path, body: JSON.stringify(object) }, signal)
  }

  /** Replaces `status` alone, with the errors of `update`. @throws NotFoundError also for a kind without that subresource */
  async updateStatus(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = objectPath(resource, object.metadata, 'status')
    return this.#call<Resource>({ method: 'PUT', path, body: JSON.stringify(object) }, signal)
  }

  /**
   * Changes what a JSON merge patch names; null removes a field, a list is replaced whole. With `metadata.resourceVersion` in it,
   * the patch is rejected when the object has another version.
   * @throws ConflictError, NotFoundError, InvalidInputError
   */
  async patch(
    resource: ApiResource,
    key: ObjectKey,
    patch: Readonly<Record<string, unknown>>,
    options: { subresource?: 'status'; signal?: AbortSignal } = {},
  ): Promise<Resource> {
    const path = objectPath(resource, key, options.subresource)
    const contentType = 'application/merge-patch+json'
    return this.#call<Resource>(
      { method: 'PATCH', path, body: JSON.stringify(patch), contentType },
      options.signal,
    )
  }

  /** @throws NotFoundError, ConflictError when a precondition does not hold */
  async delete(
    resource: ApiResource,
    key: ObjectKey,
    preconditions: DeletePreconditions = {},
    signal?: AbortSignal,
  ): Promise<Deletion> {
    const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions })
    const answer = await this.#call<Resource | StatusAnswer>(
      { method: 'DELETE', path: objectPath(resource, key), body },
      signal,
    )
    if (isStatus(answer)) return { isGone: true, uid: answer.details?.uid }
    // A finalizer holds the object; of some kinds the server returns what it removed instead of a status.
    const { deletionTimestamp, finalizers = [], uid } = answer.metadata
    return deletionTimestamp !== undefined && finalizers.length > 0
      ? { isGone: false, object: answer }
      : { isGone: true, uid }
  }

  /**
   * Follows the changes of a kind until the server ends the watch, which is normal, or the signal aborts.
   * @throws FailedPreconditionError with the code `expired` when the server no longer knows the version,
   * InvalidInputError when it cannot send all objects first, UnavailableError when the connection is lost
   */
  async *watch(
    resource: ApiResource,
    { namespace, ...selectors }: Selection,
    { resourceVersion, timeoutSeconds, onAccepted }: WatchStart,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent> {
    const from =
      resourceVersion === undefined
        ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion }
    const query = { ...selectors, ...from, watch: true, allowWatchBookmarks: true, timeoutSeconds }
    const path = withQuery(collectionPath(resource, namespace), query)
    using start = timeLimit(watchStartTimeoutMs, `the start of a watch of ${resource.plural}`)
    const ended = AbortSignal.any([signal, start.signal])
    const { status, headers, stream } = await this.#connection.send({ method: 'GET', path }, ended)
    if (status !== 200) throw statusError(status, await readBody(stream), headers['retry-after'])
    start.lift()
    onAccepted?.()
    yield* readWatchEvents(stream)
    if (stream.rstCode !== 0) throw connectionLost(this.#server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }

  async #call<Answer>(request: ApiRequest, signal?: AbortSignal): Promise<Answer> {
    const limit = AbortSignal.timeout(callTimeoutMs)
    const ended = signal === undefined ? limit : AbortSignal.any([signal, limit])
    const deadline = performance.now() + callTimeoutMs
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
        const answer = await this.#attempt<Answer>(request, ended)
        if (!(answer instanceof BusyError)) return answer
        const wait = Math.max(answer.retryAfterMs, pauseMs) * (1 + Math.random() / 2)
        if (performance.now() + wait > deadline) throw answer
        await delay(wait, undefined, { signal: ended })
      }
    } catch (error) {
      if (ended.aborted) throw abortError(ended, `${request.method} ${request.path} of the Kubernetes API`)
      throw error
    }
  }

  /** The answer, or the error of a server that is too busy. */
  async #attempt<Answer>(request: ApiRequest, signal: AbortSignal): Promise<Answer | BusyError> {
    const { status, headers, stream } = await this.#connection.send(request, signal)
    const body = await readBody(stream)
    if (stream.rstCode !== 0) throw connectionLost(this.#server)
    if (status >= 300) {
      const error = statusError(status, body, headers['retry-after'])
      if (status === 429 && error instanceof BusyError) return error
      throw error
    }
    return readAnswer(body, this.#server) as Answer
  }
}
