import type { ResourceEvent, ResourceStore } from './resource-store.ts'

/** A kind that is watched, and where its watch begins. */
export interface WatchedKind {
  kind: string
  /** The version of a list of this kind; without it every existing object is delivered first. */
  fromResourceVersion?: string
}

/**
 * Watches several kinds as one; their events come in any order among each other. Ends when the signal does, or with the
 * error of the first watch that fails, which ends the others.
 */
export async function* watchKinds(
  store: Pick<ResourceStore, 'watch'>,
  kinds: readonly WatchedKind[],
  signal: AbortSignal,
): AsyncGenerator<ResourceEvent> {
  const end = new AbortController()
  const merged = new MergedWatches()
  const options = { signal: AbortSignal.any([signal, end.signal]) }
  const ended = Promise.all(
    kinds.map(({ kind, ...from }) => merged.read(store.watch(kind, { ...from, ...options }))),
  )
  try {
    yield* merged.events()
  } finally {
    end.abort()
    merged.release()
    await ended
  }
}

/** Events of several watches, of each at most one that nobody has taken. */
class MergedWatches {
  readonly #waiting: { event: ResourceEvent; taken: () => void }[] = []
  #arrived = Promise.withResolvers<void>()
  #reading = 0
  #isReleased = false
  #failures: unknown[] = []

  /** Reads a watch to its end; an error is thrown by `events`. */
  async read(watch: AsyncIterable<ResourceEvent>): Promise<void> {
    this.#reading++
    try {
      for await (const event of watch) {
        if (this.#isReleased) break
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#waiting.push({ event, taken: resolve })
        this.#arrived.resolve()
        await promise
      }
    } catch (error) {
      this.#failures.push(error)
    } finally {
      this.#reading--
      this.#arrived.resolve()
    }
  }

  /** The events until all watches have ended; throws the error of the first that fails. */
  async *events(): AsyncGenerator<ResourceEvent> {
    for (;;) {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        next.taken()
        yield next.event
      }
      if (this.#failures.length > 0) throw this.#failures[0]
      if (this.#reading === 0) return
      await this.#arrived.promise
      this.#arrived = Promise.withResolvers()
    }
  }

  /** Lets the watches end though nobody takes their events any more. */
  release(): void {
    this.#isReleased = true
    for (const { taken } of this.#waiting.splice(0)) taken()
  }
}
