/**
 * Values by key that forgets those not used for longest once their weights together exceed a bound. The newest one
 * stays whatever it weighs.
 */
export class LeastRecentlyUsed<V> {
  readonly #maxWeight: number
  readonly #values = new Map<string, { value: V; weight: number }>()
  #weight = 0

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get(key: string): V | undefined {
    const found = this.#values.get(key)
    if (found === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, found)
    return found.value
  }

  set(key: string, value: V, weight: number): void {
    this.#remove(key)
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#maxWeight || oldest === key) return
      this.#remove(oldest)
    }
  }

  clear(): void {
    this.#values.clear()
    this.#weight = 0
  }

  #remove(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0
    this.#values.delete(key)
  }
}
