import { Places } from '@wadi/concurrency/places.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import type { TwoWays } from './two-ways.ts'

/** The part of a render that decides whether and how long it waits. */
type Turn = Pick<TwoWays<unknown>, 'isStrict' | 'signal'>

/**
 * Lets only so many programs without trust run their tool at a time, as its process takes much memory beside the threads that do the same.
 * Strict renders do not wait, nor does any render for longer than a few seconds, so that a slow comparison does not hold up others.
 */
export class ComparisonTurns {
  readonly #places: Places
  readonly #maxWaitMilliseconds: number

  constructor({ maxTools, maxWaitMilliseconds }: { maxTools: number; maxWaitMilliseconds: number }) {
    this.#places = new Places(maxTools, 'a turn to compare')
    this.#maxWaitMilliseconds = maxWaitMilliseconds
  }

  /** True if another render would have to wait. */
  get isTaken(): boolean {
    return this.#places.isFull
  }

  /**
   * Waits for a turn; disposing what is returned ends it. Undefined when the tool is to run without one.
   * @throws when the render is aborted
   */
  async take({ isStrict, signal }: Turn): Promise<Disposable | undefined> {
    if (isStrict) return undefined
    return await this.#within(async (until) => this.#places.take(until), signal)
  }

  /**
   * Waits for a comparison that another render of the program makes, but not for long.
   * @throws when the render is aborted
   */
  async waitFor(comparison: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await this.#within(async (until) => untilAborted(comparison, until), signal)
  }

  async #within<T>(
    wait: (until: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    const late = AbortSignal.timeout(this.#maxWaitMilliseconds)
    try {
      return await wait(signal === undefined ? late : AbortSignal.any([signal, late]))
    } catch (error) {
      signal?.throwIfAborted()
      if (late.aborted) return undefined
      throw error
    }
  }
}
