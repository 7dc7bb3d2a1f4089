import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { AlreadyExistsError, ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ApiResource } from '../client/api-resource.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import { microTime } from '../client/micro-time.ts'
import { BusyError } from '../client/status-error.ts'

/** Events as `kubectl describe` and `kubectl get events` show them. */
export const eventResource: ApiResource = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
}

/** Something about an object that people should see. */
export interface ObjectEvent {
  readonly regarding: { readonly kind: string; readonly namespace: string; readonly name: string }
  readonly type: 'Normal' | 'Warning'
  /** Why, in UpperCamelCase, for machines; at most 128 characters. */
  readonly reason: string
  /** The action done or tried, in UpperCamelCase. */
  readonly action: string
  /** The sentence for people, without secrets; shortened to 1 KiB. */
  readonly note: string
}

/** The dependencies of an `EventRecorder`. */
export interface EventRecorderSettings {
  readonly client: Pick<KubernetesClient, 'create' | 'get' | 'patch'>
  /** Knows the objects that events are about. */
  readonly store: Pick<ResourceStore, 'get'>
  /** Name of the service. */
  readonly service: string
  /** Called for events that cannot be written, or are too many. */
  readonly onError: (error: unknown) => void
}

interface PendingEvent {
  readonly event: ObjectEvent
  readonly seenAt: Date
  count: number
}

const burst = 50
const pauseMs = 200
const maxPending = 1_000
const maxNoteLength = 1_024
const maxAttempts = 3
const busyPauseMs = 1_000

/**
 * Writes Events in the background: nobody waits for them, and one that cannot be written is lost, unless the API server is too busy now. The same event about the same object
 * is counted in one Event, whichever process sees it. 50 are written at once, then five a second, and of those that wait 1,000 are kept.
 */
export class EventRecorder implements AsyncDisposable {
  readonly #settings: EventRecorderSettings
  readonly #pending = new Map<string, PendingEvent>()
  readonly #end = new AbortController()
  #tokens = burst
  #refilledAt = performance.now()
  #writing: Promise<void> | undefined

  constructor(settings: EventRecorderSettings) {
    this.#settings = settings
  }

  /** Has an event written soon. Never fails and never waits. */
  record(event: ObjectEvent): void {
    if (this.#end.signal.aborted) return
    const key = JSON.stringify(event)
    const known = this.#pending.get(key)
    if (known !== undefined) {
      known.count++
      return
    }
    if (this.#pending.size >= maxPending) {
      this.#settings.onError(new Error(`more than ${maxPending} Kubernetes Events wait; the newest are lost`))
      return
    }
    this.#pending.set(key, { event, seenAt: new Date(), count: 1 })
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#end
    for (let next = this.#first(); next !== undefined && !signal.aborted; next = this.#first()) {
      const [key, pending] = next
      try {
        await this.#token(signal)
        this.#pending.delete(key)
        await this.#write(pending, signal)
      } catch (error) {
        if (signal.aborted) return
        this.#settings.onError(error)
        if (error instanceof BusyError) await this.#keep(key, pending, error)
      }
    }
  }

  /** Keeps an event that the API server was too busy for, and waits as long as that asks. */
  async #keep(key: string, pending: PendingEvent, { retryAfterMs }: BusyError): Promise<void> {
    const again = this.#pending.get(key)
    if (again === undefined) this.#pending.set(key, pending)
    else again.count += pending.count
    await delay(Math.max(retryAfterMs, busyPauseMs), undefined, { signal: this.#end.signal }).catch(
      () => undefined,
    )
  }

  #first(): [string, PendingEvent] | undefined {
    return this.#pending.entries().next().value
  }

  async #token(signal: AbortSignal): Promise<void> {
    const refilled = Math.floor((performance.now() - this.#refilledAt) / pauseMs)
    this.#tokens = Math.min(burst, this.#tokens + refilled)
    this.#refilledAt += refilled * pauseMs
    if (this.#tokens === 0) {
      await delay(pauseMs, undefined, { signal })
      return
    }
    this.#tokens--
  }

  async #write(pending: PendingEvent, signal: AbortSignal): Promise<void> {
    const { client, store, service } = this.#settings
    const { kind, namespace, name } = pending.event.regarding
    const object = await store.get(kind, namespace, name)
    if (object === undefined) return
    const event = eventOf(pending, object, service)
    for (let attempt = 1; ; attempt++) {
      try {
        await client.create(eventResource, event, signal)
        return
      } catch (error) {
        if (!(error instanceof AlreadyExistsError)) throw error
      }
      try {
        await this.#count(event, pending, signal)
        return
      } catch (error) {
        const isTried = error instanceof ConflictError || error instanceof NotFoundError
        if (!isTried || attempt === maxAttempts) throw error
      }
    }
  }

  /** Adds to the series of an Event that somebody has written before. */
  async #count({ metadata }: Resource, { count, seenAt }: PendingEvent, signal: AbortSignal): Promise<void> {
    const { client } = this.#settings
    const stored = await client.get(eventResource, metadata, signal)
    const series = stored['series'] as { count: number } | undefined
    const patch = {
      metadata: { resourceVersion: stored.metadata.resourceVersion },
      series: { count: (series?.count ?? 1) + count, lastObservedTime: microTime(seenAt) },
    }
    await client.patch(eventResource, metadata, patch, { signal })
  }
}

function eventOf({ event, seenAt, count }: PendingEvent, object: Resource, service: string): Resource {
  const { regarding, type, reason, action } = event
  const note = shortNote(event.note)
  const { uid, namespace, name } = object.metadata
  const identity = JSON.stringify([uid, service, type, reason, action, note])
  const digest = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      namespace: regarding.namespace,
      name: `${name.slice(0, 200).replace(/[-.]+$/, '')}.${digest}`,
    },
    eventTime: microTime(seenAt),
    reportingController: `wadi.dev/${service}`,
    reportingInstance: hostname().slice(0, 128),
    action,
    reason,
    regarding: { apiVersion: object.apiVersion, kind: regarding.kind, namespace, name, uid },
    note,
    type,
    ...(count > 1 && { series: { count, lastObservedTime: microTime() } }),
  }
}

/** The API counts bytes. */
function shortNote(note: string): string {
  const bytes = Buffer.from(note)
  if (bytes.length <= maxNoteLength) return note
  const cut = bytes
    .subarray(0, maxNoteLength - 3)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
  return `${cut}…`
}
