/** Most keys that are remembered; who has not asked for longer starts over. */
const maxKeys = 20_000

/**
 * The keys of what renders found out about sources, such as warnings, in the order in which it came, so that what was told of a source
 * before can be recognized as outdated.
 */
export class RenderNews {
  #keys: string[] = []
  #forgotten = 0

  /** The present end of the news. */
  get end(): number {
    return this.#forgotten + this.#keys.length
  }

  note(key: string): void {
    this.#keys.push(key)
    if (this.#keys.length < 2 * maxKeys) return
    this.#keys = this.#keys.slice(maxKeys)
    this.#forgotten += maxKeys
  }

  /** The keys that came after an earlier `end`; undefined when some of them are forgotten. */
  since(end: number): readonly string[] | undefined {
    return end < this.#forgotten ? undefined : this.#keys.slice(end - this.#forgotten)
  }
}
