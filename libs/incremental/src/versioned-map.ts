import { randomUUID } from 'node:crypto'

/** Identifies the content of a map: maps of one version have the same entries. */
export type Version = string

/** Steps from earlier versions that a map lists. Maps that are further apart are compared entry by entry. */
const maxSteps = 64

interface Step<Key> {
  readonly from: Version
  readonly keys: readonly Key[]
}

/**
 * A map that does not change. It lists the keys by which it differs from the versions that it was made from, so finding the difference
 * between two maps of one origin costs what differs, not what they hold.
 */
export class VersionedMap<Key, Value extends {}> {
  readonly version: Version = randomUUID()
  readonly #entries: ReadonlyMap<Key, Value>
  /** The newest first. */
  readonly #steps: readonly Step<Key>[]

  private constructor(entries: ReadonlyMap<Key, Value>, steps: readonly Step<Key>[]) {
    this.#entries = entries
    this.#steps = steps
  }

  static of<Key, Value extends {}>(entries: Iterable<readonly [Key, Value]> = []): VersionedMap<Key, Value> {
    return new VersionedMap(new Map(entries), [])
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  keys(): Iterable<Key> {
    return this.#entries.keys()
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }

  /** Returns a map with other values for some keys, `undefined` to remove them; this one if each has its value already. */
  with(changes: Iterable<readonly [Key, Value | undefined]>): VersionedMap<Key, Value> {
    const differing = [...changes].filter(([key, value]) => this.#entries.get(key) !== value)
    if (differing.length === 0) return this
    const entries = new Map(this.#entries)
    for (const [key, value] of differing) {
      if (value === undefined) entries.delete(key)
      else entries.set(key, value)
    }
    const step = { from: this.version, keys: differing.map(([key]) => key) }
    return new VersionedMap(entries, newest([step, ...this.#steps], entries.size))
  }

  /** Returns the keys that have another value in another map, or are in one of the two; all keys if there is no other map. */
  differingFrom(other: VersionedMap<Key, Value> | undefined): Key[] {
    if (other === undefined) return [...this.keys()]
    const candidates = this.#apart(other) ?? [...this.keys(), ...other.keys()]
    return [...new Set(candidates)].filter((key) => this.get(key) !== other.get(key))
  }

  /** Returns the keys that have changed since an earlier version, some of them perhaps back; undefined if that is not listed. */
  changedSince(version: Version): Key[] | undefined {
    const steps = this.#versions().indexOf(version)
    return steps < 0 ? undefined : [...new Set(this.#steps.slice(0, steps).flatMap(({ keys }) => keys))]
  }

  /** Returns the keys of the steps between two maps and their newest common version; undefined if they list none. */
  #apart(other: VersionedMap<Key, Value>): Key[] | undefined {
    const theirs = other.#versions()
    for (const [mine, version] of this.#versions().entries()) {
      const shared = theirs.indexOf(version)
      if (shared < 0) continue
      return [...this.#steps.slice(0, mine), ...other.#steps.slice(0, shared)].flatMap(({ keys }) => keys)
    }
    return undefined
  }

  /** Returns its own version and those that it was made from, the newest first. */
  #versions(): Version[] {
    return [this.version, ...this.#steps.map(({ from }) => from)]
  }
}

/** Returns the newest steps that together name no more keys than there are entries. */
function newest<Key>(steps: readonly Step<Key>[], size: number): Step<Key>[] {
  let room = Math.max(size, maxSteps)
  const kept = steps.slice(0, maxSteps).findIndex(({ keys }) => (room -= keys.length) < 0)
  return steps.slice(0, kept < 0 ? maxSteps : kept)
}
