import { FairPlaces } from '@wadi/concurrency/fair-places.ts'
import type { BranchOfLane, LaneOf } from './lane-of.ts'

/** The places of runs that render, which wait in the lanes of their projects. */
export class RunPlaces {
  readonly #places: FairPlaces
  readonly #laneOf: LaneOf

  /** @param label the work, as it is called in messages */
  constructor(count: number, label: string, laneOf: LaneOf) {
    this.#places = new FairPlaces(count, label)
    this.#laneOf = laneOf
  }

  /** The number of callers that wait for a place. */
  get waiting(): number {
    return this.#places.waiting
  }

  /** The number of places given so far. */
  get taken(): number {
    return this.#places.taken
  }

  /** Waits for a place; disposing the returned value frees it. */
  take(run: BranchOfLane, signal?: AbortSignal): Promise<Disposable> {
    return this.#places.take(this.#laneOf(run), signal)
  }
}
