type Generation<V> = { entries: Map<string, { value: V; weight: number }>; weight: number }

/**
 * A cache that forgets what was not used for long once the weights of its values reach a bound.
 *
 * Two generations, each up to half the bound, stand in for an exact order of use, so that a hit costs one look-up: a
 * full young generation becomes the old one, and what is used there moves back to the young one.
 */
export class BoundedCache<V> {
  readonly #halfWeight: number
  #young: Generation<V> = { entries: new Map(), weight: 0 }
  #old: Generation<V> = { entries: new Map(), weight: 0 }

  constructor(maxWeight: number) {
    this.#halfWeight = maxWeight / 2
  }

  get(key: string): V | undefined {
    const young = this.#young.entries.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.entries.get(key)
    if (old === undefined) return undefined
    this.set(key, old.value, old.weight)
    return old.value
  }

  /** A value heavier than half the bound is not kept. */
  set(key: string, value: V, weight: number): void {
    if (weight > this.#halfWeight || this.#young.entries.has(key)) return
    if (this.#young.weight + weight > this.#halfWeight) {
      this.#old = this.#young
      this.#young = { entries: new Map(), weight: 0 }
    }
    this.#young.entries.set(key, { value, weight })
    this.#young.weight += weight
  }
}
