import { abortError } from '../process/run-child.ts'

type SharedRun = { promise: Promise<void>; controller: AbortController; callers: number }

/**
 * Runs work one piece at a time. A caller joins an equal piece that still waits, never one that has begun: what
 * it gets was read after it asked.
 */
export class CoalescingQueue {
  #tail: Promise<void> = Promise.resolve()
  readonly #waiting = new Map<string, SharedRun>()
  readonly #label: string

  /** @param label how the work is called in messages */
  constructor(label: string) {
    this.#label = label
  }

  /** The work is aborted once every caller of it has given up. */
  async run(key: string, work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw abortError(signal, this.#label)
    const shared = this.#waiting.get(key) ?? this.#add(key, work)
    shared.callers += 1
    const { promise: given, reject } = Promise.withResolvers<never>()
    const giveUp = (): void => {
      if (signal === undefined) return
      shared.callers -= 1
      if (shared.callers === 0) {
        if (this.#waiting.get(key) === shared) this.#waiting.delete(key)
        shared.controller.abort(signal.reason)
      }
      reject(abortError(signal, this.#label))
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      await Promise.race([shared.promise, given])
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** Resolves once nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#tail
  }

  #add(key: string, work: (signal: AbortSignal) => Promise<void>): SharedRun {
    const controller = new AbortController()
    const promise = this.#tail.then(async () => {
      this.#waiting.delete(key)
      await (controller.signal.aborted ? undefined : work(controller.signal))
    })
    this.#tail = promise.catch(() => undefined)
    const shared = { promise, controller, callers: 0 }
    this.#waiting.set(key, shared)
    return shared
  }
}
