import { Places } from '@wadi/concurrency/places.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'

/** Reviews of pull requests at a time, beside the runs of branches. */
const atOnce = 2

const maxKnown = 10_000

/** A review that waits or is under way. */
interface Job {
  readonly version: string
  readonly controller: AbortController
}

/** Runs the review of each pull request once for each version of it, the newest version alone. */
export class ReviewPool implements AsyncDisposable {
  readonly #places = new Places(atOnce, 'reviewing')
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Set<Promise<void>>()
  readonly #done = growingCache<string, string>(maxKnown)

  /**
   * Reviews a version of a pull request, unless that is done or under way. A review of another version is given up.
   * @param review resolves to how long nothing more is to be done, in ms: Infinity until there is another version, 0 to try again at the
   *   next call. It must not throw
   */
  submit(key: string, version: string, review: (signal: AbortSignal) => Promise<number>): void {
    const current = this.#jobs.get(key)
    if (current ? current.version === version : this.#done.get(key) === version) return
    current?.controller.abort()
    const job = { version, controller: new AbortController() }
    this.#jobs.set(key, job)
    const running = this.#run(key, job, review)
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
  }

  async #run(key: string, job: Job, review: (signal: AbortSignal) => Promise<number>): Promise<void> {
    const { version, controller } = job
    const { signal } = controller
    try {
      using _ = await this.#places.take(signal)
      const restMs = await review(signal)
      if (restMs > 0 && !signal.aborted)
        this.#done.set(key, version, Number.isFinite(restMs) ? { ttl: restMs } : {})
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      if (this.#jobs.get(key) === job) this.#jobs.delete(key)
    }
  }

  /** Has versions that only rest submitted again. */
  endRests(): void {
    for (const key of this.#done.keys()) {
      if (Number.isFinite(this.#done.getRemainingTTL(key))) this.#done.delete(key)
    }
  }

  /** Gives up the reviews whose key begins so and is not among those that are open. */
  keepOnly(prefix: string, open: ReadonlySet<string>): void {
    for (const [key, { controller }] of this.#jobs) {
      if (!key.startsWith(prefix) || open.has(key)) continue
      controller.abort()
      this.#jobs.delete(key)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { controller } of this.#jobs.values()) controller.abort()
    await Promise.allSettled(this.#running)
  }
}
