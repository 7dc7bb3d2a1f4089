import type { ResourceEvent } from '@wadi/resources/store/resource-store.ts'
import { type KeptObject, readKept } from './kept-object.ts'

/** One change of a kind, or one object that a watch must deliver. */
interface Change {
  readonly type: ResourceEvent['type']
  readonly key: string
  /** After the change; for `deleted`, before it. */
  readonly object: KeptObject
}

const batchSize = 500

/** The objects of a kind and their last changes, for watches at different places. */
export class ChangeLog {
  readonly #objects = new Map<string, KeptObject>()
  readonly #length: number
  /** The last changes; those before are cut off. */
  readonly #changes: Change[] = []
  #cut = 0
  #next = Promise.withResolvers<void>()

  /** @param length the number of changes kept at least; at most twice as many */
  constructor(length: number) {
    this.#length = length
  }

  /** The number of changes so far. */
  get position(): number {
    return this.#cut + this.#changes.length
  }

  get(key: string): KeptObject | undefined {
    return this.#objects.get(key)
  }

  /** Those whose keys begin so, in no order. */
  objects(prefix: string): KeptObject[] {
    return [...this.#objects].filter(([key]) => key.startsWith(prefix)).map(([, object]) => object)
  }

  /** Records an object's current form, or its deletion. Watches see no change if the cached form stays the same. */
  record(key: string, object: KeptObject | undefined): void {
    const previous = this.#objects.get(key)
    if (object === undefined) {
      if (previous === undefined) return
      this.#objects.delete(key)
      this.#append({ type: 'deleted', key, object: previous })
      return
    }
    this.#objects.set(key, object)
    if (previous?.text === object.text) return
    this.#append({ type: previous === undefined ? 'added' : 'modified', key, object })
  }

  /**
   * Delivers each change after a position; with undefined, or a position before the log, first what differs from what was
   * delivered. Ends when the signal aborts.
   */
  async *events(from: number | undefined, signal: AbortSignal): AsyncGenerator<ResourceEvent> {
    const wake = () => this.#wake()
    signal.addEventListener('abort', wake, { once: true })
    try {
      const reader = new LogReader(from, this.#objects, (position) => this.#after(position))
      while (!signal.aborted) {
        const next = this.#next.promise
        const changes = reader.read(this.position)
        for (const { type, object } of changes) {
          if (signal.aborted) return
          yield { type, resource: readKept(object) }
        }
        if (changes.length === 0) await next
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  /** The changes after a position, or undefined when they are not known any more or not known yet. */
  #after(position: number): readonly Change[] | undefined {
    if (position < this.#cut || position > this.position) return undefined
    return this.#changes.slice(position - this.#cut)
  }

  #append(change: Change): void {
    this.#changes.push(change)
    if (this.#changes.length >= 2 * this.#length) {
      this.#changes.splice(0, this.#length)
      this.#cut += this.#length
    }
    this.#wake()
  }

  #wake(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }
}

/** One watch of a log. */
class LogReader {
  readonly #objects: ReadonlyMap<string, KeptObject>
  readonly #after: (position: number) => readonly Change[] | undefined
  /** The last delivered form of each object. */
  readonly #delivered = new Map<string, KeptObject>()
  /** The changes before the watch began that are not delivered yet. */
  readonly #missed = new Set<string>()
  /** Up to where everything is delivered; undefined before the first list. */
  #position: number | undefined

  constructor(
    from: number | undefined,
    objects: ReadonlyMap<string, KeptObject>,
    after: (position: number) => readonly Change[] | undefined,
  ) {
    this.#objects = objects
    this.#after = after
    const missed = from === undefined ? undefined : after(from)
    if (missed === undefined) return
    this.#position = from
    // What was there at `from` is not known exactly; what is there now, or went since, may have been.
    for (const [key, object] of objects) this.#delivered.set(key, object)
    for (const { key, object } of missed) {
      this.#delivered.set(key, object)
      this.#missed.add(key)
    }
  }

  /** Returns the next changes, as of the log's position; none when there is nothing new. */
  read(end: number): readonly Change[] {
    const missed = this.#position === undefined ? undefined : this.#after(this.#position)
    const changes = missed?.slice(0, batchSize) ?? this.#differences()
    this.#position = missed === undefined ? end : (this.#position ?? 0) + changes.length
    for (const { type, key, object } of changes) {
      this.#missed.delete(key)
      if (type === 'deleted') this.#delivered.delete(key)
      else this.#delivered.set(key, object)
    }
    return changes
  }

  #differences(): Change[] {
    const gone = [...this.#delivered].filter(([key]) => !this.#objects.has(key))
    const changes: Change[] = gone.map(([key, object]) => ({ type: 'deleted', key, object }))
    for (const [key, object] of this.#objects) {
      const delivered = this.#delivered.get(key)
      if (delivered?.text === object.text && !this.#missed.has(key)) continue
      changes.push({ type: delivered === undefined ? 'added' : 'modified', key, object })
    }
    return changes
  }
}
