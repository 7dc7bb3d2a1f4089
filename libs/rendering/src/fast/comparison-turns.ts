import { Places } from '@wadi/concurrency/places.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import type { TwoWays } from './two-ways.ts'

/** The part of a render that decides whether and how long it waits. */
type Turn = Pick<TwoWays<unknown>, 'renderer' | 'maxTools' | 'isStrict' | 'signal'>

/**
 * Lets only so many programs of a renderer without trust run their tool at a time, where its process takes much memory. Strict renders do
 * not wait, nor does any render for longer than a few seconds, so that a slow comparison does not hold up others.
 */
export class ComparisonTurns {
  readonly #places = new Map<string, Places>()
  readonly #maxWaitMilliseconds: number

  constructor(maxWaitMilliseconds: number) {
    this.#maxWaitMilliseconds = maxWaitMilliseconds
  }

  /** Whether another render would have to wait. */
  isTaken({ renderer, maxTools }: Turn): boolean {
    return maxTools !== undefined && this.#placesOf(renderer, maxTools).isFull
  }

  /**
   * Waits for a turn; disposing what is returned ends it. Undefined when the tool is to run without one.
   * @throws when the render is aborted
   */
  async take({ renderer, maxTools, isStrict, signal }: Turn): Promise<Disposable | undefined> {
    if (isStrict || maxTools === undefined) return undefined
    return await this.#within(async (until) => this.#placesOf(renderer, maxTools).take(until), signal)
  }

  /**
   * Waits for a comparison that another render of the program makes, but not for long.
   * @throws when the render is aborted
   */
  async waitFor(comparison: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await this.#within(async (until) => untilAborted(comparison, until), signal)
  }

  #placesOf(renderer: string, maxTools: number): Places {
    const places = this.#places.get(renderer) ?? new Places(maxTools, `a turn of ${renderer}`)
    this.#places.set(renderer, places)
    return places
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
