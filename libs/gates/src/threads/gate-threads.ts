import { WorkerPool, type WorkerPoolOptions } from '@wadi/engines/threads/worker-pool.ts'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { GateCheck } from '../run-gates.ts'
import type { SourceText } from '../value-places.ts'
import type { CheckAnswer, GateJob, PlaceAnswer } from './gate-job.ts'

/** Far more than the largest sources take. */
const maxMilliseconds = 30_000

const memoryMiB = 512

/**
 * Threads that run gates, so that regular expressions of others on hostile text neither block the event loop nor take the process
 * down: a thread over its time or memory is ended and replaced.
 */
export class GateThreads implements AsyncDisposable {
  readonly #pool: WorkerPool<GateJob>

  constructor(options: WorkerPoolOptions = {}) {
    const script = new URL('gate-thread.ts', import.meta.url)
    const program = { script, tool: 'gates', load: async () => ({}), memoryMiB }
    const limits = { timeoutMilliseconds: maxMilliseconds, ...options }
    this.#pool = new WorkerPool(program, () => 'checking objects by gates', limits)
  }

  /**
   * Runs the gates on objects.
   * @param manifests JSON
   * @throws ResourceExhaustedError above 30 seconds or 512 MiB, the signal's reason
   */
  async check(manifests: readonly string[], check: GateCheck, signal: AbortSignal): Promise<CheckAnswer> {
    const answer: CheckAnswer = JSON.parse(await this.#run({ kind: 'check', manifests, check }, signal))
    return answer
  }

  /**
   * Finds the line of each value, by the forms in which it may be written.
   * @throws what `check` throws
   */
  async place(
    texts: readonly SourceText[],
    values: readonly (readonly string[])[],
    signal: AbortSignal,
  ): Promise<(Location | undefined)[]> {
    const answer: PlaceAnswer = JSON.parse(await this.#run({ kind: 'place', texts, values }, signal))
    return answer.map((place) => place ?? undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }

  async #run(job: GateJob, signal: AbortSignal): Promise<string> {
    try {
      return await this.#pool.run(job, { signal })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))
        throw error
      const message = `checking objects by gates takes more than ${memoryMiB} MiB of memory: render fewer or smaller ones`
      throw new ResourceExhaustedError(message, { cause: error })
    }
  }
}
