/** Lets a bounded number of tasks run at a time, in the order in which they came. */
export class Semaphore {
  #free: number
  #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  /** Runs a task when a permit is free; a signal that aborts first keeps it from starting. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free--
    try {
      signal.throwIfAborted()
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
