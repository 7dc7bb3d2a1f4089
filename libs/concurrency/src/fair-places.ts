import { FairOrder, type Lane } from './fair-order.ts'
import { untilAborted } from './until-aborted.ts'

interface Waiting {
  readonly turn: number
  readonly grant: () => void
}

/** A limited number of places for the work of several tenants, which wait in a fair order. */
export class FairPlaces {
  readonly #order = new FairOrder()
  readonly #waiting: Waiting[] = []
  readonly #label: string
  #free: number
  #taken = 0

  /** @param label the work, as it is called in messages */
  constructor(count: number, label: string) {
    this.#free = count
    this.#label = label
  }

  /** The number of callers that wait for a place. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** The number of places given so far. */
  get taken(): number {
    return this.#taken
  }

  /** Waits for a place; disposing the returned value frees it. */
  async take(lane: Lane, signal?: AbortSignal): Promise<Disposable> {
    const turn = this.#order.enter(lane)
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting: Waiting = { turn, grant: resolve }
    this.#waiting.push(waiting)
    this.#grantFree()
    try {
      await untilAborted(promise, signal, this.#label)
    } catch (error) {
      const place = this.#waiting.indexOf(waiting)
      if (place < 0) this.#release()
      else this.#waiting.splice(place, 1)
      this.#order.leave(lane, undefined)
      throw error
    }
    this.#order.leave(lane, turn)
    this.#taken += 1
    return { [Symbol.dispose]: () => this.#release() }
  }

  #release(): void {
    this.#free += 1
    this.#grantFree()
  }

  #grantFree(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const first = this.#waiting.reduce((best, each) => (each.turn < best.turn ? each : best))
      this.#waiting.splice(this.#waiting.indexOf(first), 1)
      this.#free -= 1
      first.grant()
    }
  }
}
