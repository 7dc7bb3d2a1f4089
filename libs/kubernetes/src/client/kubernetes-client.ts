import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ClusterConfig } from '../config/cluster-config.ts'
import { ApiConnection, type ApiTransport } from '../connection/api-connection.ts'
import { type AccountIssuer, readAccountIssuer } from './account-issuer.ts'
import { type ApiResource, apiVersionOf, collectionPath, type ObjectKey, objectPath } from './api-resource.ts'
import { isStatus, type ListAnswer, readBody, type StatusAnswer } from './answers.ts'
import { ApiCalls } from './api-calls.ts'
import { type Selection, withQuery } from './selection.ts'
import { statusError } from './status-error.ts'
import { timeLimit } from './time-limit.ts'
import { readWatchEvents, type WatchEvent } from './watch-events.ts'

/** Some objects of a kind, or all, at one moment. */
export interface ObjectPage {
  readonly items: Resource[]
  /** The moment; a watch from here misses nothing. */
  readonly resourceVersion: string
}

/** The start of a watch. */
export interface WatchStart {
  /** Changes after this version are sent; without it every object is sent first, then a bookmark that says so. */
  readonly resourceVersion?: string | undefined
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds: number
  /** Called when the server has accepted the watch. */
  readonly onAccepted?: () => void
}

/** The result of a deletion: an object that finalizers hold, or nothing. */
export type Deletion =
  | { readonly isGone: true; readonly uid: string | undefined }
  | { readonly isGone: false; readonly object: Resource }

/** An object is deleted only if it is still this one. */
export interface DeletePreconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

/** The part of an OpenAPI document that is read. */
interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Record<string, unknown>>> }
}

/** Enough for a new server to prepare its cache of a large kind. */
const watchStartTimeoutMs = 60_000
const defaultPageSize = 500

/**
 * The Kubernetes API over one HTTP/2 connection. Errors of the API come as domain errors (`status-error.ts`). A call takes 30 s at
 * the most; until then it is repeated when the server is too busy for it (429).
 */
export class KubernetesClient implements AsyncDisposable {
  readonly #connection: ApiTransport
  readonly #calls: ApiCalls

  constructor(config: ClusterConfig, connection: ApiTransport = new ApiConnection(config)) {
    this.#connection = connection
    this.#calls = new ApiCalls(connection, config.server)
  }

  /** The lead of this machine's clock over the API server's, in milliseconds; 0 before the first answer. */
  get clockAheadMs(): number {
    return this.#connection.clockAheadMs
  }

  /** @throws NotFoundError */
  async get(resource: ApiResource, key: ObjectKey, signal?: AbortSignal): Promise<Resource> {
    return this.#calls.call<Resource>({ method: 'GET', path: objectPath(resource, key) }, signal)
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
      const list = await this.#calls.call<ListAnswer>({ method: 'GET', path: withQuery(path, query) }, signal)
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

  /** Returns the OpenAPI schema of a kind, by which the API server drops and rejects fields; undefined when it serves none. */
  async schemaOf(
    { group, version, kind }: ApiResource,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown> | undefined> {
    const path = `/openapi/v3/apis/${group}/${version}`
    const document = await this.#calls.call<OpenApiDocument>({ method: 'GET', path }, signal)
    const isOfKind = (schema: Record<string, unknown>): boolean => {
      const kinds = schema['x-kubernetes-group-version-kind']
      return Array.isArray(kinds) && kinds.some((one) => isJsonObject(one) && one['kind'] === kind)
    }
    return Object.values(document.components?.schemas ?? {}).find(isOfKind)
  }

  /**
   * Returns who signs the tokens of service accounts; every service account may ask that by default.
   * @throws PermissionDeniedError where the cluster allows it to nobody
   */
  async accountIssuer(signal?: AbortSignal): Promise<AccountIssuer> {
    const accept = 'application/json, application/jwk-set+json'
    const read = (path: string) => this.#calls.call<unknown>({ method: 'GET', path, accept }, signal)
    const [discovery, keySet] = await Promise.all([
      read('/.well-known/openid-configuration'),
      read('/openid/v1/jwks'),
    ])
    return readAccountIssuer(discovery, keySet)
  }

  /** @throws AlreadyExistsError, InvalidInputError */
  async create(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = collectionPath(resource, object.metadata.namespace)
    return this.#calls.call<Resource>({ method: 'POST', path, body: JSON.stringify(object) }, signal)
  }

  /**
   * Replaces an object; `status` stays where the kind has that subresource.
   * @throws ConflictError when `resourceVersion` is not the stored one, NotFoundError, InvalidInputError
   */
  async update(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = objectPath(resource, object.metadata)
    return this.#calls.call<Resource>({ method: 'PUT', path, body: JSON.stringify(object) }, signal)
  }

  /** Replaces `status` alone, with the errors of `update`. @throws NotFoundError also for a kind without that subresource */
  async updateStatus(resource: ApiResource, object: Resource, signal?: AbortSignal): Promise<Resource> {
    const path = objectPath(resource, object.metadata, 'status')
    return this.#calls.call<Resource>({ method: 'PUT', path, body: JSON.stringify(object) }, signal)
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
    return this.#calls.call<Resource>(
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
    const answer = await this.#calls.call<Resource | StatusAnswer>(
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
    const { status, headers, body } = await this.#connection.send({ method: 'GET', path }, ended)
    if (status !== 200) throw statusError(status, await readBody(body), headers['retry-after'])
    start.lift()
    onAccepted?.()
    yield* readWatchEvents(body)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]()
  }
}
