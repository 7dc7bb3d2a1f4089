import { abortError, untilAborted } from './until-aborted.ts'

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/** Work that callers who want the same at the same time share. */
export class SharedWork<T> {
  readonly #flights = new Map<string, Flight<T>>()

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
      if (signal?.aborted === true) throw abortError(signal)
    }
    assertWanted()
    const joined = this.#flights.get(key)
    const flight = joined ?? this.#begin(key, work)
    flight.waiting += 1
    const leave = () => {
      flight.waiting -= 1
      if (flight.waiting > 0) return
      this.#forget(key, flight)
      flight.controller.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      if (joined !== undefined) return await untilAborted(flight.result, signal)
      const [settled] = await Promise.allSettled([flight.result])
      assertWanted()
      if (settled.status === 'rejected') throw settled.reason
      return settled.value
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const flight: Flight<T> = { result: work(controller.signal), controller, waiting: 0 }
    this.#flights.set(key, flight)
    const forget = () => this.#forget(key, flight)
    void flight.result.then(forget, forget)
    return flight
  }

  #forget(key: string, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key)
  }
}
