import type { WorkerPoolOptions } from '@wadi/engines/threads/pool-options.ts'
import { ThreadRoom } from '@wadi/engines/threads/thread-room.ts'
import { WorkerPool } from '@wadi/engines/threads/worker-pool.ts'
import { ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Location } from '@wadi/errors/location.ts'
import type { WantedPlace } from '../finding-places.ts'
import type { PolicyFile } from '../gate.ts'
import type { GateCheck } from '../run-gates.ts'
import type { SourceText } from '@wadi/file-trees/read-texts.ts'
import type { CheckAnswer, GateJob, GivenObjects, PlaceAnswer } from './gate-job.ts'

/** Far more than the largest sources take, by many policies. */
const maxMilliseconds = 60_000

/** One thread checks hundreds of sources a second; only behind checks that take long another one is worth its 45 MiB. */
const patienceMilliseconds = 5_000

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
    // Renderers, which work by turns with them, do not end them for their own.
    const room = new ThreadRoom()
    const limits = { timeoutMilliseconds: maxMilliseconds, patienceMilliseconds, room, ...options }
    this.#pool = new WorkerPool(program, () => 'checking objects by gates', limits)
  }

  /**
   * Runs the gates on objects.
   * @throws ResourceExhaustedError above 60 seconds or 512 MiB, InvalidInputError for former objects that are not YAML, the signal's reason
   */
  async check(objects: GivenObjects, check: GateCheck, signal: AbortSignal): Promise<CheckAnswer> {
    const answer: CheckAnswer = JSON.parse(await this.#run({ kind: 'check', ...objects, check }, signal))
    return answer
  }

  /**
   * Returns true if policies may judge an object that replaces another differently than a new one.
   * @throws InvalidInputError for a file that is not YAML, the signal's reason
   */
  async wantsFormer(policies: readonly PolicyFile[], signal: AbortSignal): Promise<boolean> {
    return JSON.parse(await this.#run({ kind: 'wantsFormer', policies }, signal)) === true
  }

  /**
   * Finds the places of findings, as `findPlaces` does.
   * @throws what `check` throws
   */
  async place(
    texts: readonly SourceText[],
    wanted: readonly WantedPlace[],
    signal: AbortSignal,
  ): Promise<(Location | undefined)[]> {
    const answer: PlaceAnswer = JSON.parse(await this.#run({ kind: 'place', texts, wanted }, signal))
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
