/** Wishes come together when less time than this is between two of them. */
const quietMs = 200
/** Wishes that never end are gathered no longer than this. */
const maxGatherMs = 1_000

/** Ends the pause between two polls early. However often it is called, a poll is never put off for more than a second. */
export class Wake implements Disposable {
  #calledAt = -Infinity
  #gatheredSince: number | undefined
  #timer: NodeJS.Timeout | undefined
  #woken = false
  #end: (() => void) | undefined

  /** Wishes for a poll that begins after this call and sees what is wished for next, as several settings are often changed together. */
  call(): void {
    const now = performance.now()
    this.#calledAt = now
    const since = (this.#gatheredSince ??= now)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, Math.min(quietMs, since + maxGatherMs - now)))
  }

  /** Wishes for a poll that begins after this call: at once when nobody called for a while. */
  callAtOnce(): void {
    const isQuiet = performance.now() - this.#calledAt >= quietMs
    this.call()
    if (isQuiet) this.#wake()
  }

  #wake(): void {
    clearTimeout(this.#timer)
    this.#gatheredSince = undefined
    this.#woken = true
    this.#end?.()
  }

  /**
   * Resolves after the time, when it is woken, or when the signal aborts; a wake from before the call is included.
   * Returns whether it was woken.
   */
  async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#woken && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#end = resolve
      const timer = setTimeout(resolve, milliseconds)
      const abort = () => resolve()
      signal.addEventListener('abort', abort)
      await promise
      signal.removeEventListener('abort', abort)
      clearTimeout(timer)
      this.#end = undefined
    }
    const wasWoken = this.#woken
    this.#woken = false
    return wasWoken
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
