/** A map that is emptied when it is full, for values that can be made again from their keys. */
export class BoundedCache<Value> {
  readonly #capacity: number
  readonly #values = new Map<string, Value>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Returns the value of the key, made first when it is not there. */
  get(key: string, make: (key: string) => Value): Value {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const made = make(key)
    if (this.#values.size >= this.#capacity) this.#values.clear()
    this.#values.set(key, made)
    return made
  }
}
