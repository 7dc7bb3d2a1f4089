import { setTimeout as delay } from 'node:timers/promises'
import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApiResource } from '../client/api-resource.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import type { Selection } from '../client/selection.ts'
import { isExpired } from '../client/status-error.ts'
import { timeLimit } from '../client/time-limit.ts'
import type { WatchEvent } from '../client/watch-events.ts'
import { Pause } from './pause.ts'

/** The receiver of a reflector's changes. */
export interface ReflectorSink {
  /** A list begins: all objects that exist are put again, then `replaced` is called. */
  listBegins(): void
  put(object: Resource): void
  remove(object: Resource): void
  /** The list is complete as of this version. */
  replaced(resourceVersion: string): void
  /** Every change up to this version was reported. */
  passed(resourceVersion: string): void
  /** A watch runs. */
  following(): void
  /** Something failed that is tried again. */
  failed(error: unknown): void
}

/** The objects that a reflector follows. */
export interface ReflectorSource {
  readonly client: KubernetesClient
  readonly resource: ApiResource
  readonly selection: Selection
}

const minWatchSeconds = 300
const watchGraceMs = 30_000
/** client-go takes a watch that ends sooner without an event as a failure as well. */
const minWatchMs = 1_000
const endOfInitialEvents = 'k8s.io/initial-events-end'

/**
 * Lists a kind and follows its changes, over everything that ends a watch. A list comes as a stream where the server can do that,
 * else in pages; a new one is needed only when the server no longer knows the version where the watch broke.
 */
export class Reflector {
  readonly #source: ReflectorSource
  readonly #sink: ReflectorSink
  readonly #pause = new Pause()
  /** The version up to which everything was reported; undefined when a list is needed. */
  #position: string | undefined
  #canStream = true
  /** Pages expire, and a server that compacts often may be too fast for a list in pages. */
  #listsWhole = false

  constructor(source: ReflectorSource, sink: ReflectorSink) {
    this.#source = source
    this.#sink = sink
  }

  /** Follows until the signal aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#position === undefined && !this.#canStream) await this.#listPages(signal)
        await this.#watch(signal)
      } catch (error) {
        if (signal.aborted) return
        await this.#recover(error, signal)
      }
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (this.#position === undefined && this.#canStream && error instanceof InvalidInputError) {
      // 400 or 422: the server does not stream lists, because it is old or was told not to.
      this.#canStream = false
      return
    }
    if (isExpired(error)) {
      this.#listsWhole = this.#position === undefined
      this.#position = undefined
    }
    this.#sink.failed(error)
    await delay(this.#pause.after(error), undefined, { signal }).catch(() => undefined)
  }

  async #listPages(signal: AbortSignal): Promise<void> {
    const { client, resource, selection } = this.#source
    this.#sink.listBegins()
    let version = ''
    const pageSize = this.#listsWhole ? 0 : undefined
    for await (const page of client.listPages(resource, selection, signal, pageSize)) {
      for (const object of page.items) this.#sink.put(object)
      version = page.resourceVersion
      this.#pause.reset()
    }
    this.#listsWhole = false
    this.#sink.replaced(version)
    this.#position = version
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, resource, selection } = this.#source
    const resourceVersion = this.#position
    const timeoutSeconds = Math.round(minWatchSeconds * (1 + Math.random()))
    const begun = performance.now()
    using silence = timeLimit(timeoutSeconds * 1000 + watchGraceMs, `a watch of ${resource.plural}`)
    const ended = AbortSignal.any([signal, silence.signal])
    if (resourceVersion === undefined) this.#sink.listBegins()
    let events = 0
    const start = { resourceVersion, timeoutSeconds, onAccepted: () => this.#sink.following() }
    for await (const event of client.watch(resource, selection, start, ended)) {
      events++
      this.#pause.reset()
      this.#take(event)
    }
    if (events === 0 && performance.now() - begun < minWatchMs) {
      throw new UnavailableError(`the watch of ${resource.plural} ended at once`)
    }
  }

  #take({ type, object }: WatchEvent): void {
    const version = object.metadata.resourceVersion ?? ''
    if (type === 'BOOKMARK') this.#takeBookmark(object, version)
    else if (type === 'DELETED') this.#sink.remove(object)
    else this.#sink.put(object)
    // Before the end of a streamed list its objects come in no order of versions.
    if (this.#position === undefined) return
    this.#position = version
    this.#sink.passed(version)
  }

  #takeBookmark({ metadata }: Resource, version: string): void {
    if (this.#position !== undefined || metadata.annotations?.[endOfInitialEvents] !== 'true') return
    this.#sink.replaced(version)
    this.#position = version
  }
}
