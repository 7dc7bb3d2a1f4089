import type { SourceInspection } from '@wadi/rendering/source-inspection.ts'
import type { RepeatVerdict } from '@wadi/rendering/repeat/repeat-verdict.ts'
import type { RenderCache } from './render-cache.ts'

/** Most sources whose verdicts are held in memory. */
const maxCached = 50_000

/** Verdicts on sources that were rendered twice, kept in the cache, so that what was seen before is not rendered twice again. */
export class RepeatVerdicts {
  #cache: RenderCache
  /** Undefined for keys that the cache has no verdict of. */
  #read = new Map<string, RepeatVerdict | undefined>()

  constructor(cache: RenderCache) {
    this.#cache = cache
  }

  /** The verdict on a source; undefined if it was not rendered twice so far. */
  async find({ renderer, repeatKey }: SourceInspection): Promise<RepeatVerdict | undefined> {
    if (renderer === 'directory') return undefined
    if (this.#read.has(repeatKey)) return this.#read.get(repeatKey)
    const verdict = await this.#cache.readVerdict(repeatKey)
    this.#keep(repeatKey, verdict)
    return verdict
  }

  async remember({ repeatKey }: SourceInspection, verdict: RepeatVerdict): Promise<void> {
    await this.#cache.writeVerdict(repeatKey, verdict)
    this.#keep(repeatKey, verdict)
  }

  #keep(repeatKey: string, verdict: RepeatVerdict | undefined): void {
    if (this.#read.size >= maxCached) this.#read.clear()
    this.#read.set(repeatKey, verdict)
  }
}
