const gatherMs = 200

/** Ends the pause between two polls early, shortly after the last of several wishes that come together. */
export class Wake implements Disposable {
  #timer: NodeJS.Timeout | undefined
  #woken = false
  #end: (() => void) | undefined

  /** Wishes for a poll that begins after this call. */
  call(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#woken = true
      this.#end?.()
    }, gatherMs)
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
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
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
