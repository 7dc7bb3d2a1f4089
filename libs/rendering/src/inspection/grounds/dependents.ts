/** Which sources of a list depend on what: paths of the repository, and keys of what renders find out. */
export class Dependents {
  /** Most paths are read by one source. */
  readonly #of = new Map<string, number | Set<number>>()

  add(key: string, index: number): void {
    const known = this.#of.get(key)
    if (known === undefined) this.#of.set(key, index)
    else if (typeof known !== 'number') known.add(index)
    else if (known !== index) this.#of.set(key, new Set([known, index]))
  }

  delete(key: string, index: number): void {
    const known = this.#of.get(key)
    if (known === index) this.#of.delete(key)
    else if (known instanceof Set) known.delete(index)
  }

  /** The indices of the sources that depend on something. */
  of(key: string): Iterable<number> {
    const known = this.#of.get(key)
    if (known === undefined) return []
    return typeof known === 'number' ? [known] : known
  }
}
