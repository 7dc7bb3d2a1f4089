import pLimit from 'p-limit'
import { abortError } from './abort-error.ts'
import { Flight } from './flight.ts'
import { untilAborted } from './until-aborted.ts'

/**
 * Runs work one piece at a time. A caller joins an equal piece that still waits, never one that has begun: what
 * it gets was read after it asked.
 */
export class CoalescingQueue {
  readonly #turns = pLimit(1)
  readonly #waiting = new Map<string, Flight<void>>()
  readonly #label: string

  /** @param label how the work is called in messages */
  constructor(label: string) {
    this.#label = label
  }

  /** The work is aborted once every caller of it has given up. */
  async run(key: string, work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw abortError(signal, this.#label)
    const flight = this.#waiting.get(key) ?? this.#add(key, work)
    using _ = flight.join(signal, () => this.#forget(key, flight))
    await untilAborted(flight.result, signal, this.#label)
  }

  /** Resolves once nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#turns(() => undefined)
  }

  #add(key: string, work: (signal: AbortSignal) => Promise<void>): Flight<void> {
    const flight = new Flight((signal) =>
      this.#turns(async () => {
        this.#forget(key, flight)
        if (!signal.aborted) await work(signal)
      }),
    )
    this.#waiting.set(key, flight)
    return flight
  }

  #forget(key: string, flight: Flight<void>): void {
    if (this.#waiting.get(key) === flight) this.#waiting.delete(key)
  }
}
