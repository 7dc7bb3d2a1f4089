import pLimit from 'p-limit'
import { untilAborted } from './until-aborted.ts'

/** A limited number of places for work that begins and ends in different parts of the code. */
export class Places {
  readonly #turns: ReturnType<typeof pLimit>
  readonly #label: string

  /** @param label the work, as it is called in messages */
  constructor(count: number, label: string) {
    this.#turns = pLimit(count)
    this.#label = label
  }

  /** True if no place is free. */
  get isFull(): boolean {
    return this.#turns.activeCount >= this.#turns.concurrency
  }

  /** Waits for a place, in the order of the calls; disposing the returned value frees it. */
  async take(signal?: AbortSignal): Promise<Disposable> {
    const granted = Promise.withResolvers<void>()
    const freed = Promise.withResolvers<void>()
    void this.#turns(() => {
      granted.resolve()
      return freed.promise
    })
    try {
      await untilAborted(granted.promise, signal, this.#label)
    } catch (error) {
      freed.resolve()
      throw error
    }
    return { [Symbol.dispose]: () => freed.resolve() }
  }
}
