import { isDeepStrictEqual } from 'node:util'
import type { CheckedObjects } from '@wadi/gates/checked-objects.ts'
import type { Results, Reuse } from '@wadi/incremental/reuse.ts'
import type { RenderResults } from '@wadi/rendering/run/cache/render-cache.ts'
import type { RepeatVerdict } from '@wadi/rendering/run/repeat/repeat-verdict.ts'
import type { RenderChanges } from './render-changes.ts'

/** The functions that read and write the facts that outlast this process. */
interface StoredFacts<Fact> {
  readonly read: (key: string) => Promise<Fact>
  readonly write: (key: string, fact: Fact) => Promise<unknown>
}

/**
 * Facts that renders find out about sources, such as warnings, kept in the cache next to their results: an unchanged source is only inspected, and its
 * result is not read for that.
 */
class RenderFacts<Fact> {
  readonly #stored: StoredFacts<Fact>
  readonly #changes: RenderChanges
  /** Most sources have none, which is known too. */
  readonly #known: Results<string, { readonly fact: Fact }>

  /** @param changes lists each new fact */
  constructor(
    stored: StoredFacts<Fact>,
    changes: RenderChanges,
    known: Results<string, { readonly fact: Fact }>,
  ) {
    this.#stored = stored
    this.#changes = changes
    this.#known = known
  }

  async find(key: string): Promise<Fact> {
    const known = this.#known.get(key) ?? { fact: await this.#stored.read(key) }
    this.#known.set(key, known)
    return known.fact
  }

  /** Replaces the fact of a key. */
  async record(key: string, fact: Fact): Promise<void> {
    if (isDeepStrictEqual(await this.find(key), fact)) return
    await this.#stored.write(key, fact)
    this.#known.set(key, { fact })
    this.#changes.add(key)
  }
}

class WidenedFingerprints {
  readonly #changes: RenderChanges
  readonly #known: Results<string, true>

  constructor(changes: RenderChanges, known: Results<string, true>) {
    this.#changes = changes
    this.#known = known
  }

  has(fingerprint: string): boolean {
    return this.#known.get(fingerprint) === true
  }

  add(fingerprint: string): void {
    if (!this.has(fingerprint)) this.#changes.add(fingerprint)
    this.#known.set(fingerprint, true)
  }
}

/** Opens the facts about so many sources at most. */
export function openRenderFacts(
  cache: RenderResults,
  changes: RenderChanges,
  { reuse, max }: { reuse: Reuse; max: number },
) {
  const open = <Fact>(stored: StoredFacts<Fact>) => new RenderFacts(stored, changes, reuse.byKey(max))
  return {
    /** The warnings of renders, by fingerprint. */
    warnings: open<readonly string[]>({
      read: (key) => cache.readWarnings(key),
      write: (key, warnings) => cache.writeWarnings(key, warnings),
    }),
    /** The verdicts on sources that were rendered twice, by `repeatKey`. */
    verdicts: open<RepeatVerdict | undefined>({
      read: (key) => cache.readVerdict(key),
      write: async (key, verdict) => verdict && cache.writeVerdict(key, verdict),
    }),
    /** The findings of gates in what was rendered, by the fingerprint that covers their settings. */
    checked: open<CheckedObjects | undefined>({
      read: (key) => cache.readChecked(key),
      write: async (key, checked) => checked && cache.writeChecked(key, checked),
    }),
    /** Answers to the question whether policies want former objects, by their name. */
    formerWanted: reuse.byKey<string, boolean>(max),
    /**
     * The fingerprints of inspections that predicted fewer inputs than the render needed: their sources have the widened ones from then on. They
     * are in memory alone, as the next render finds them again.
     */
    widened: new WidenedFingerprints(changes, reuse.byKey(max)),
  }
}
