/** One pass over the object with this key; returns milliseconds until the next one, undefined for none. */
type Pass = (key: string) => Promise<number | undefined>

/**
 * Runs passes when they are due: never two over one thing at the same time, a bounded number at once, and of several
 * requests for one thing the earliest one applies. What is asked for during a pass comes after it.
 */
export class PassScheduler implements AsyncDisposable {
  readonly #pass: Pass
  readonly #atOnce: number
  readonly #timers = new Map<string, { dueAt: number; timer: NodeJS.Timeout }>()
  /** In the order in which they became due. */
  readonly #due = new Set<string>()
  /** Passes that run, each with the time at which another one is wanted. */
  readonly #running = new Map<string, { ended: Promise<void>; dueAt: number }>()
  #isEnded = false

  /**
   * @param pass never fails
   * @param atOnce the maximum number of passes at the same time
   */
  constructor(pass: Pass, atOnce: number) {
    this.#pass = pass
    this.#atOnce = atOnce
  }

  /** Asks for a pass that begins in so many milliseconds or, when one was asked for earlier, sooner. */
  request(key: string, delayMs: number): void {
    const running = this.#running.get(key)
    const dueAt = performance.now() + delayMs
    if (running) running.dueAt = Math.min(running.dueAt, dueAt)
    else this.#schedule(key, dueAt)
  }

  /** Takes all requests for a thing back. */
  forget(key: string): void {
    clearTimeout(this.#timers.get(key)?.timer)
    this.#timers.delete(key)
    this.#due.delete(key)
    const running = this.#running.get(key)
    if (running) running.dueAt = Infinity
  }

  /** Starts no further pass and waits for those that run. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#due.clear()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  #schedule(key: string, dueAt: number): void {
    if (this.#isEnded || this.#due.has(key) || dueAt === Infinity) return
    const waiting = this.#timers.get(key)
    if (waiting && waiting.dueAt <= dueAt) return
    clearTimeout(waiting?.timer)
    const timer = setTimeout(
      () => {
        this.#timers.delete(key)
        this.#due.add(key)
        this.#runDue()
      },
      Math.max(0, dueAt - performance.now()),
    )
    this.#timers.set(key, { dueAt, timer })
  }

  #runDue(): void {
    for (const key of this.#due) {
      if (this.#running.size >= this.#atOnce) return
      this.#due.delete(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#running.set(key, { ended: promise, dueAt: Infinity })
      void this.#run(key).then(resolve)
    }
  }

  async #run(key: string): Promise<void> {
    const delayMs = await this.#pass(key)
    const wantedAt = this.#running.get(key)?.dueAt ?? Infinity
    this.#running.delete(key)
    this.#schedule(key, Math.min(wantedAt, performance.now() + (delayMs ?? Infinity)))
    this.#runDue()
  }
}
