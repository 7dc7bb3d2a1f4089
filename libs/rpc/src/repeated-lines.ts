import { LRUCache } from 'lru-cache'

const memoryMs = 10 * 60_000
const maxLines = 1_000

/** Knows which lines were written in the last ten minutes, so that a state that lasts is not logged with every call. */
export class RepeatedLines {
  readonly #seen = new LRUCache<string, number>({ max: maxLines })

  /** Returns true if a text was seen in the last ten minutes; it counts as seen from now on. */
  isRepeated(text: string, now = performance.now()): boolean {
    const last = this.#seen.get(text)
    this.#seen.set(text, now)
    return last !== undefined && now - last < memoryMs
  }
}
