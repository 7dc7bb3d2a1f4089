import { LRUCache } from 'lru-cache'
import type { RenderCache } from './render-cache.ts'

/** Results whose remarks are held in memory. */
const maxResults = 50_000

/**
 * What renders remarked, kept in the cache beside their results, as an unchanged source is only inspected and its whole
 * result is not read for that.
 */
export class RenderRemarks {
  #cache: RenderCache
  /** Most are empty, which is remembered too. */
  readonly #read = new LRUCache<string, readonly string[]>({ max: maxResults })

  constructor(cache: RenderCache) {
    this.#cache = cache
  }

  /** The remarks on the result with a fingerprint; none if it was not rendered so far. */
  async find(fingerprint: string): Promise<readonly string[]> {
    const known = this.#read.get(fingerprint)
    if (known) return known
    const remarks = await this.#cache.readRemarks(fingerprint)
    this.#read.set(fingerprint, remarks)
    return remarks
  }

  /** Takes the remarks of a render, which replace those of an earlier one with that fingerprint. */
  async remember(fingerprint: string, remarks: readonly string[]): Promise<void> {
    const known = await this.find(fingerprint)
    if (known.join('\n') === remarks.join('\n')) return
    await this.#cache.writeRemarks(fingerprint, remarks)
    this.#read.set(fingerprint, remarks)
  }
}
