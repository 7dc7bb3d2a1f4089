/** Most keys that are listed; a caller that has not asked for longer starts over. */
const maxKeys = 20_000

/** The keys of what renders found out about sources since they were inspected, such as warnings, in the order in which it came. */
export class RenderChanges {
  #keys: string[] = []
  #dropped = 0

  /** The number of changes so far. */
  get position(): number {
    return this.#dropped + this.#keys.length
  }

  add(key: string): void {
    this.#keys.push(key)
    if (this.#keys.length < 2 * maxKeys) return
    this.#keys = this.#keys.slice(maxKeys)
    this.#dropped += maxKeys
  }

  /** Returns the keys that came after an earlier `position`; undefined when some of them are no longer listed. */
  since(position: number): readonly string[] | undefined {
    return position < this.#dropped ? undefined : this.#keys.slice(position - this.#dropped)
  }
}
