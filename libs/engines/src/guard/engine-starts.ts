import type { TwoWays } from './two-ways.ts'

/** Renders that are further apart than this do not make the start of an engine worth it. */
const maxPauseMilliseconds = 10_000

/** Renders of one tool, one soon after the other. */
interface Burst {
  renders: number
  last: number
}

/**
 * Decides whether an engine that does not run is started for a render. Its start takes seconds of a processor and its memory stays for a
 * minute, so the tool makes the first few renders, of whatever versions: a small change is all that comes for minutes.
 */
export class EngineStarts {
  readonly #toolFirst: number
  readonly #bursts = new Map<string, Burst>()

  /** @param toolFirst how many renders the tool makes */
  constructor(toolFirst: number) {
    this.#toolFirst = toolFirst
  }

  /** Returns true if the engine should make this render: it runs, or there were others shortly before; true without an engine. */
  isWorth({ renderer, engine }: Pick<TwoWays<unknown>, 'renderer' | 'engine'>): boolean {
    if (engine === undefined) return true
    const now = performance.now()
    const burst = this.#bursts.get(renderer)
    const goesOn = burst !== undefined && now - burst.last < maxPauseMilliseconds
    const renders = goesOn ? burst.renders + 1 : 1
    this.#bursts.set(renderer, { renders, last: now })
    return engine.isStarted || renders > this.#toolFirst
  }
}
