import { errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import { FairOrder, type Lane, singleLane } from '@wadi/concurrency/fair-order.ts'
import type { Logger } from 'pino'
import {
  type BranchHandler,
  type BranchQueue,
  type JobState,
  maxStates,
  type QueueDepth,
  type WorkOptions,
} from './branch-queue.ts'
import { defaultRetryPolicy, isRetryable, retryPause } from './retry-policy.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** Settings of an embedded queue. */
export interface EmbeddedQueueOptions {
  /** Defaults to `defaultRetryPolicy`. */
  retry?: RetryPolicy
  /** Returns the lane of a key, which says when it is its turn; default: one for all. */
  laneOf?: (key: string) => Lane
  /** Told of failed runs; without it they are silent. */
  logger?: Logger
}

/** Opens a queue in the memory of this process, for producers and workers of this process; it ends with it. */
export function openEmbeddedQueue(options: EmbeddedQueueOptions = {}): BranchQueue {
  return new EmbeddedQueue(options)
}

interface Job {
  state: JobState
  failedRuns: number
  /** True if the key was enqueued while the job ran. */
  followed: boolean
  retryTimer?: NodeJS.Timeout
}

interface Waiting {
  lane: Lane
  turn: number
  /** The time by `performance.now()`. */
  since: number
}

class EmbeddedQueue implements BranchQueue {
  readonly #retry: RetryPolicy
  readonly #logger: Logger | undefined
  readonly #jobs = new Map<string, Job>()
  readonly #laneOf: (key: string) => Lane
  readonly #order = new FairOrder()
  /** The waiting keys, the one that waits longest first. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #workers = new Set<EmbeddedWorker>()
  #closed = false

  constructor({ retry = defaultRetryPolicy, laneOf = () => singleLane, logger }: EmbeddedQueueOptions) {
    this.#retry = retry
    this.#laneOf = laneOf
    this.#logger = logger
  }

  async enqueue(key: string): Promise<void> {
    if (this.#closed) throw new UnavailableError('the queue is closed')
    const job = this.#jobs.get(key)
    if (job === undefined) {
      this.#wait(key, { state: 'waiting', failedRuns: 0, followed: false })
    } else if (job.state === 'active') {
      job.followed = true
    } else if (job.state === 'delayed') {
      clearTimeout(job.retryTimer)
      job.failedRuns = 0
      this.#wait(key, job)
    }
  }

  work(handler: BranchHandler, options: WorkOptions): AsyncDisposable {
    const worker = new EmbeddedWorker(handler, options, () => this.#workers.delete(worker))
    this.#workers.add(worker)
    this.#dispatch()
    return worker
  }

  readonly warning = undefined

  async findings(): Promise<[]> {
    return []
  }

  async check(): Promise<string | undefined> {
    return this.#closed ? 'the queue is closed' : undefined
  }

  async depth(): Promise<QueueDepth> {
    const depth = { waiting: 0, active: 0, delayed: 0 }
    for (const job of this.#jobs.values()) depth[job.state]++
    return depth
  }

  async states(): Promise<ReadonlyMap<string, JobState>> {
    const jobs = this.#jobs.entries().take(maxStates)
    return new Map(jobs.map(([key, { state }]) => [key, state]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#workers].map((worker) => worker[Symbol.asyncDispose]()))
    for (const job of this.#jobs.values()) clearTimeout(job.retryTimer)
  }

  #wait(key: string, job: Job): void {
    job.state = 'waiting'
    this.#jobs.set(key, job)
    const lane = this.#laneOf(key)
    this.#waiting.set(key, { lane, turn: this.#order.enter(lane), since: performance.now() })
    this.#dispatch()
  }

  #dispatch(): void {
    for (const worker of this.#workers) {
      while (this.#waiting.size > 0 && worker.hasRoom()) {
        const { key, since } = this.#takeNext()
        const job = this.#jobs.get(key)
        if (job === undefined) continue
        job.state = 'active'
        job.followed = false
        const waitedMs = job.failedRuns > 0 ? undefined : performance.now() - since
        worker.start(this.#run(worker, key, job, waitedMs), () => this.#dispatch())
      }
    }
  }

  #takeNext(): { key: string; since: number } {
    const [key, { lane, turn, since }] = [...this.#waiting].reduce((first, each) =>
      each[1].turn < first[1].turn ? each : first,
    )
    this.#waiting.delete(key)
    this.#order.leave(lane, turn)
    return { key, since }
  }

  async #run(worker: EmbeddedWorker, key: string, job: Job, waitedMs: number | undefined): Promise<void> {
    // Lets the caller of enqueue go on before the handler begins, as it does with a queue on a server.
    await Promise.resolve()
    try {
      await worker.handler(key, worker.signal, waitedMs)
      this.#finish(key, job)
    } catch (error) {
      if (worker.signal.aborted) this.#wait(key, job)
      else this.#fail(key, job, error)
    }
  }

  #finish(key: string, job: Job): void {
    if (job.followed) {
      job.failedRuns = 0
      this.#wait(key, job)
    } else {
      this.#jobs.delete(key)
    }
  }

  #fail(key: string, job: Job, error: unknown): void {
    job.failedRuns++
    const retried = isRetryable(error) && job.failedRuns < this.#retry.attempts
    this.#logger?.[retried ? 'debug' : 'warn'](
      { key, failedRuns: job.failedRuns, retried, error: errorMessage(error) },
      'run failed',
    )
    if (!retried || job.followed) {
      this.#finish(key, job)
      return
    }
    job.state = 'delayed'
    job.retryTimer = setTimeout(() => this.#wait(key, job), retryPause(this.#retry, job.failedRuns))
  }
}

class EmbeddedWorker implements AsyncDisposable {
  readonly handler: BranchHandler
  readonly signal: AbortSignal
  readonly #concurrency: number
  readonly #running = new Set<Promise<void>>()
  readonly #leave: () => void
  #closed = false

  constructor(handler: BranchHandler, options: WorkOptions, leave: () => void) {
    this.handler = handler
    this.signal = options.signal ?? new AbortController().signal
    this.#concurrency = options.concurrency
    this.#leave = leave
  }

  hasRoom(): boolean {
    return !this.#closed && !this.signal.aborted && this.#running.size < this.#concurrency
  }

  start(run: Promise<void>, onRoom: () => void): void {
    this.#running.add(run)
    void run.finally(() => {
      this.#running.delete(run)
      onRoom()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#leave()
    await Promise.all(this.#running)
  }
}
