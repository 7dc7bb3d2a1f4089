const memoryMs = 10 * 60_000
const maxLines = 1_000

/** Knows which lines were written in the last ten minutes, so that a state that lasts is not logged with every call. */
export class RepeatedLines {
  #seen = new Map<string, number>()

  /** Whether a text was seen in the last ten minutes; it counts as seen from now on. */
  isRepeated(text: string, now = performance.now()): boolean {
    const last = this.#seen.get(text)
    this.#seen.delete(text)
    this.#seen.set(text, now)
    const oldest = this.#seen.keys().next()
    if (this.#seen.size > maxLines && !oldest.done) this.#seen.delete(oldest.value)
    return last !== undefined && now - last < memoryMs
  }
}
