import { apiVersionOf } from '@wadi/kubernetes/client/api-resource.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { ApiFailure } from './api-failure.ts'
import type { ObjectSelector } from './object-selector.ts'
import type { KindStore, ObjectStore, StoredChange } from './object-store.ts'

/** The target of a watch: the body of an answer. */
export interface WatchOutput {
  write(text: string): void
  end(): void
  onClose(listener: () => void): void
}

/** A watch that runs. */
export interface RunningWatch {
  /** Sends a bookmark of now, if the client wants bookmarks. */
  bookmark(): void
  end(): void
}

/**
 * Checks the parameters of a watch.
 * @throws ApiFailure 422 for a list first that the server does not stream, or that lacks its version match
 */
export function assertWatchable(store: KindStore, query: URLSearchParams, canStreamLists: boolean): void {
  const forbidden = (field: string, message: string) =>
    new ApiFailure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: Forbidden: ${message}`, {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', field, message: `Forbidden: ${message}` }],
    })
  const match = query.get('resourceVersionMatch')
  if (query.get('sendInitialEvents') === null) {
    if (match === null) return
    throw forbidden(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    )
  }
  if (!canStreamLists) {
    throw forbidden(
      'sendInitialEvents',
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    )
  }
  if (match !== 'NotOlderThan') {
    throw forbidden(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    )
  }
}

/** Sends what was before and then each change to a watch, until one of the two sides ends it. */
export function startWatch(
  objects: ObjectStore,
  store: KindStore,
  query: URLSearchParams,
  matches: ObjectSelector,
  output: WatchOutput,
): RunningWatch | undefined {
  const send = (type: string, object: unknown) => output.write(`${JSON.stringify({ type, object })}\n`)
  const wantsBookmarks = query.get('allowWatchBookmarks') === 'true'
  const bookmark = (annotations?: Record<string, string>) => {
    if (wantsBookmarks) send('BOOKMARK', bookmarkOf(store, objects.version, annotations))
  }
  const report = (change: StoredChange) => {
    const event = eventOf(change, matches)
    if (event !== undefined) send(event.type, event.object)
  }
  const since = query.get('resourceVersion') ?? ''
  if (query.get('sendInitialEvents') === 'true' || since === '' || since === '0') {
    for (const object of store.list().filter(matches)) send('ADDED', object)
    if (query.get('sendInitialEvents') === 'true') bookmark({ 'k8s.io/initial-events-end': 'true' })
  } else {
    try {
      objects.assertRemembered(Number(since))
    } catch (error) {
      if (error instanceof ApiFailure) send('ERROR', error.status)
      output.end()
      return undefined
    }
    for (const change of store.changesAfter(Number(since))) report(change)
  }
  store.listeners.add(report)
  const timer = setTimeout(() => output.end(), Number(query.get('timeoutSeconds') ?? 1800) * 1000)
  timer.unref()
  output.onClose(() => {
    clearTimeout(timer)
    store.listeners.delete(report)
  })
  return { bookmark: () => bookmark(), end: () => output.end() }
}

function bookmarkOf({ kind }: KindStore, version: number, annotations?: Record<string, string>): object {
  return {
    kind: kind.resource.kind,
    apiVersion: apiVersionOf(kind.resource),
    metadata: {
      resourceVersion: String(version),
      creationTimestamp: null,
      ...(annotations && { annotations }),
    },
  }
}

/** Returns the event of a change for a watch with selectors: an object that comes to match is added, one that ceases to is deleted. */
function eventOf(
  { previous, current, version }: StoredChange,
  matches: ObjectSelector,
): { type: string; object: Resource } | undefined {
  const did = previous !== undefined && matches(previous)
  if (current !== undefined && matches(current)) return { type: did ? 'MODIFIED' : 'ADDED', object: current }
  if (!did) return undefined
  return {
    type: 'DELETED',
    object: { ...previous, metadata: { ...previous.metadata, resourceVersion: String(version) } },
  }
}
