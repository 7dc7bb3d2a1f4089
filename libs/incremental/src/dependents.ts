/** Finds which of many results depend on something that changed, without asking each. What they depend on is named by keys, such as paths. */
export class Dependents {
  readonly #keys: (readonly string[])[] = []
  /** Most keys have one dependent. */
  readonly #of = new Map<string, number | Set<number>>()

  /** Sets the keys on which a result depends. */
  set(number: number, keys: readonly string[]): void {
    for (const key of this.#keys[number] ?? []) this.#delete(key, number)
    for (const key of keys) this.#add(key, number)
    this.#keys[number] = keys
  }

  /** Returns the results that depend on any of some keys. */
  of(keys: Iterable<string>): Set<number> {
    const found = new Set<number>()
    for (const key of keys) {
      const known = this.#of.get(key)
      if (typeof known === 'number') found.add(known)
      else for (const number of known ?? []) found.add(number)
    }
    return found
  }

  #add(key: string, number: number): void {
    const known = this.#of.get(key)
    if (known === undefined) this.#of.set(key, number)
    else if (typeof known !== 'number') known.add(number)
    else if (known !== number) this.#of.set(key, new Set([known, number]))
  }

  #delete(key: string, number: number): void {
    const known = this.#of.get(key)
    if (known === number) this.#of.delete(key)
    else if (known instanceof Set) known.delete(number)
  }
}
