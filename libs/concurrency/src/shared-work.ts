import { abortError } from './abort-error.ts'
import { Flight } from './flight.ts'
import { untilAborted } from './until-aborted.ts'

/** Work that callers who want the same at the same time share. */
export class SharedWork<T> {
  readonly #flights = new Map<string, Flight<T>>()
  readonly #label: string

  /** @param label how the work is called in messages */
  constructor(label: string) {
    this.#label = label
  }

  /**
   * The result of `work`, or of the same key's work under way. The work ends early only when nobody waits for it any
   * more, and the caller who began it returns only after it: it may use what that caller holds open.
   */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const assertWanted = () => {
      if (signal?.aborted === true) throw abortError(signal, this.#label)
    }
    assertWanted()
    const joined = this.#flights.get(key)
    const flight = joined ?? this.#begin(key, work)
    using _ = flight.join(signal, () => this.#forget(key, flight))
    if (joined !== undefined) return await untilAborted(flight.result, signal, this.#label)
    const [settled] = await Promise.allSettled([flight.result])
    assertWanted()
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight = new Flight(work)
    this.#flights.set(key, flight)
    const forget = () => this.#forget(key, flight)
    void flight.result.then(forget, forget)
    return flight
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}
