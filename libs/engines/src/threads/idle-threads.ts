/** When idle threads end. */
interface IdleThreadsOptions<Thread> {
  /** The time that a thread may be idle. */
  readonly milliseconds: number
  /** The same while `isCrowded`, which is asked after this time. */
  readonly crowdedMilliseconds: number
  /** Returns true if other pools have threads. */
  readonly isCrowded: () => boolean
  /** Ends a thread that was idle for long enough; `left` milliseconds before the end of its time. */
  readonly retire: (thread: Thread, left: number) => void
}

interface Rest {
  readonly since: number
  readonly timer: NodeJS.Timeout
}

/** The threads of a pool that have no work, those first that are idle for longest. */
export class IdleThreads<Thread> {
  readonly #options: IdleThreadsOptions<Thread>
  readonly #rests = new Map<Thread, Rest>()

  constructor(options: IdleThreadsOptions<Thread>) {
    this.#options = options
  }

  get size(): number {
    return this.#rests.size
  }

  /** Begins the time of a thread. */
  add(thread: Thread): void {
    this.#retireLater(thread, performance.now(), this.#options.milliseconds)
  }

  /** Takes a thread out, the one that was used last unless there is a preferred one. */
  take(isPreferred: (thread: Thread) => boolean): Thread | undefined {
    const threads = [...this.#rests.keys()]
    const thread = threads.find(isPreferred) ?? threads.at(-1)
    if (thread !== undefined) this.remove(thread)
    return thread
  }

  /** Returns whether the thread was idle. */
  remove(thread: Thread): boolean {
    clearTimeout(this.#rests.get(thread)?.timer)
    return this.#rests.delete(thread)
  }

  /** Since when the first one is idle, by `performance.now()`; undefined where none is. */
  get since(): number | undefined {
    const [first] = this.#rests.values()
    return first?.since
  }

  /** Ends the first one, if there is one, as the end of its time does. */
  retireFirst(): void {
    const [first] = this.#rests.keys()
    if (first !== undefined) this.#options.retire(first, 0)
  }

  #retireLater(thread: Thread, since: number, milliseconds: number): void {
    const pause = Math.min(milliseconds, this.#options.crowdedMilliseconds)
    const retireOrWait = (): void => {
      const left = milliseconds - pause
      if (left > 0 && !this.#options.isCrowded()) this.#retireLater(thread, since, left)
      else this.#options.retire(thread, left)
    }
    this.#rests.set(thread, { since, timer: setTimeout(retireOrWait, pause).unref() })
  }
}
