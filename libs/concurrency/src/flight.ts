/** Work that several callers wait for; it is aborted once the last of them has left. */
export class Flight<T> {
  readonly result: Promise<T>
  readonly #controller = new AbortController()
  #callers = 0

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.result = work(this.#controller.signal)
  }

  /**
   * Counts a caller, who leaves when its signal aborts. Disposing the returned value only stops listening to the signal.
   * @param onAbandoned called before the work is aborted, when nobody else waits for it
   */
  join(signal: AbortSignal | undefined, onAbandoned: () => void): Disposable {
    this.#callers += 1
    const leave = () => {
      this.#callers -= 1
      if (this.#callers > 0) return
      onAbandoned()
      this.#controller.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    return { [Symbol.dispose]: () => signal?.removeEventListener('abort', leave) }
  }
}
