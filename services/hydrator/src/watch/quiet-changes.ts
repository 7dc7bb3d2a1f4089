const quietMs = 600
const maxDelayMs = 5_000

/**
 * Passes a branch on when its Applications have not changed for 600 ms, at the latest after five seconds: what a user
 * creates with one command is then hydrated with one commit.
 */
export class QuietChanges implements Disposable {
  #pass: (key: string) => void
  #waiting = new Map<string, { since: number; timer: NodeJS.Timeout }>()

  constructor(pass: (key: string) => void) {
    this.#pass = pass
  }

  add(key: string): void {
    const now = performance.now()
    const waiting = this.#waiting.get(key)
    clearTimeout(waiting?.timer)
    const since = waiting?.since ?? now
    const pause = Math.max(0, Math.min(quietMs, since + maxDelayMs - now))
    const timer = setTimeout(() => {
      this.#waiting.delete(key)
      this.#pass(key)
    }, pause)
    this.#waiting.set(key, { since, timer })
  }

  /** Drops what waits for a branch; a run that begins now sees it. */
  drop(key: string): void {
    clearTimeout(this.#waiting.get(key)?.timer)
    this.#waiting.delete(key)
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }
}
