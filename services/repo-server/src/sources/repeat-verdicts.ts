import type { SourceInspection } from '@wadi/rendering/inspection/source-inspection.ts'
import type { Rendered } from '@wadi/rendering/run/render-run.ts'
import {
  randomValues,
  repeatWarnings,
  type RepeatVerdict,
} from '@wadi/rendering/run/repeat/repeat-verdict.ts'
import type { RenderResults } from '@wadi/rendering/run/cache/render-cache.ts'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import type { RenderNews } from './render-news.ts'

/** Sources whose verdicts are held in memory. */
const maxSources = 50_000

/** Verdicts on sources that were rendered twice, kept in the cache, so that what was seen before is not rendered twice again. */
export class RepeatVerdicts {
  #cache: RenderResults
  #news: RenderNews
  /** `none` for keys that the cache has no verdict of. */
  readonly #read: Results<string, RepeatVerdict | 'none'>

  constructor(cache: RenderResults, news: RenderNews, reuse: Reuse) {
    this.#read = reuse.byKey(maxSources)
    this.#cache = cache
    this.#news = news
  }

  /** The verdict on a source; undefined if it was not rendered twice so far. */
  async find({ plan, repeatKey }: SourceInspection): Promise<RepeatVerdict | undefined> {
    if (plan.repeatability === undefined) return undefined
    const known = this.#read.get(repeatKey)
    if (known !== undefined) return known === 'none' ? undefined : known
    const verdict = await this.#cache.readVerdict(repeatKey)
    this.#read.set(repeatKey, verdict ?? 'none')
    return verdict
  }

  async remember({ repeatKey }: SourceInspection, verdict: RepeatVerdict): Promise<void> {
    await this.#cache.writeVerdict(repeatKey, verdict)
    this.#read.set(repeatKey, verdict)
    this.#news.note(repeatKey)
  }
}

/** A result with what its verdict says, and more warnings. */
export function withVerdict(
  { manifests, files, record }: Rendered,
  verdict: RepeatVerdict | undefined,
  more: readonly string[] = [],
): Rendered {
  const random = randomValues(verdict)
  const warnings = [...record.warnings, ...more, ...repeatWarnings(verdict)]
  return { manifests, files, record: { ...record, warnings, random } }
}
