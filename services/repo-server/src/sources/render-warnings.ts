import type { RenderResults } from '@wadi/rendering/run/cache/render-cache.ts'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import type { RenderNews } from './render-news.ts'

/** Results whose warnings are held in memory. */
const maxResults = 50_000

/**
 * The warnings of renders, kept in the cache beside their results, as an unchanged source is only inspected and its whole
 * result is not read for that.
 */
export class RenderWarnings {
  #cache: RenderResults
  #news: RenderNews
  /** Most are empty, which is remembered too. */
  readonly #read: Results<string, readonly string[]>

  constructor(cache: RenderResults, news: RenderNews, reuse: Reuse) {
    this.#read = reuse.byKey(maxResults)
    this.#cache = cache
    this.#news = news
  }

  /** The warnings on the result with a fingerprint; none if it was not rendered so far. */
  async find(fingerprint: string): Promise<readonly string[]> {
    const known = this.#read.get(fingerprint)
    if (known) return known
    const warnings = await this.#cache.readWarnings(fingerprint)
    this.#read.set(fingerprint, warnings)
    return warnings
  }

  /** Takes the warnings of a render, which replace those of an earlier one with that fingerprint. */
  async remember(fingerprint: string, warnings: readonly string[]): Promise<void> {
    const known = await this.find(fingerprint)
    if (known.join('\n') === warnings.join('\n')) return
    await this.#cache.writeWarnings(fingerprint, warnings)
    this.#read.set(fingerprint, warnings)
    this.#news.note(fingerprint)
  }
}
