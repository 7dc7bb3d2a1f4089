import { BusyError } from '../client/status-error.ts'

const firstPauseMs = 100
const maxPauseMs = 5_000
/** A server that answers at all, if only that it starts, is asked again sooner. */
const maxBusyPauseMs = 2_000

/** The pause of a client before it tries again: twice as long each time, until something succeeds. */
export class Pause {
  #nextMs = firstPauseMs

  /** Something succeeded. */
  reset(): void {
    this.#nextMs = firstPauseMs
  }

  /** Returns milliseconds with up to a half more by chance, so that clients do not come back all at once. */
  after(error: unknown): number {
    const isBusy = error instanceof BusyError
    const pauseMs = Math.min(this.#nextMs, isBusy ? maxBusyPauseMs : maxPauseMs)
    this.#nextMs = Math.min(this.#nextMs * 2, maxPauseMs)
    return Math.max(pauseMs, isBusy ? error.retryAfterMs : 0) * (1 + Math.random() / 2)
  }
}
