import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type {
  BranchHandler,
  BranchQueue,
  JobState,
  QueueDepth,
  WorkOptions,
} from '@wadi/queue/branch-queue.ts'
import { isRetryable, retryPause, type RetryPolicy } from '@wadi/queue/retry-policy.ts'
import type { QueueServer, TakenJob } from './queue-server.ts'

/** The connection of one process to the queue's server. */
export interface QueueLink {
  /** Asks it, again and again until there is an answer, as the client of Redis does. */
  ask<Answer>(label: string, ask: (server: QueueServer) => Answer): Promise<Answer>
  /** Calls back after a job waits. */
  listen(listener: () => void): Disposable
}

interface ModelQueueOptions {
  /** The time for which a job stays with a worker that gives no sign of life, in milliseconds. */
  readonly holdMs: number
  readonly retry: RetryPolicy
}

/** The queue of one process, whose jobs are on a server that all share. It does what `RedisWorker` and BullMQ do together. */
export class ModelQueue implements BranchQueue {
  readonly warning = undefined
  readonly #link: QueueLink
  readonly #options: ModelQueueOptions
  readonly #workers = new Set<ModelWorker>()
  #isClosed = false

  constructor(link: QueueLink, options: ModelQueueOptions) {
    this.#link = link
    this.#options = options
  }

  async enqueue(key: string): Promise<void> {
    if (this.#isClosed) throw new UnavailableError('the queue is closed')
    await this.#link.ask(`enqueue ${key}`, (server) => server.enqueue(key))
  }

  work(handler: BranchHandler, options: WorkOptions): AsyncDisposable {
    const worker = new ModelWorker(handler, { ...options, ...this.#options, link: this.#link })
    this.#workers.add(worker)
    return worker
  }

  async check(): Promise<string | undefined> {
    return undefined
  }

  async findings(): Promise<[]> {
    return []
  }

  async depth(): Promise<QueueDepth> {
    return this.#link.ask('depth', (server) => server.depth())
  }

  async states(): Promise<ReadonlyMap<string, JobState>> {
    return this.#link.ask('states', (server) => server.states())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers].map((worker) => worker[Symbol.asyncDispose]()))
  }
}

class ModelWorker implements AsyncDisposable {
  readonly #handler: BranchHandler
  readonly #options: WorkOptions & ModelQueueOptions & { link: QueueLink }
  readonly #running = new Set<Promise<void>>()
  /** The last run of each key, as long as it lasts. */
  readonly #runOf = new Map<string, Promise<void>>()
  readonly #listening: Disposable
  readonly #stalledCheck: NodeJS.Timeout
  #retryTimer: NodeJS.Timeout | undefined
  #isTaking = false
  #isClosed = false
  #wasWoken = false

  constructor(handler: BranchHandler, options: WorkOptions & ModelQueueOptions & { link: QueueLink }) {
    this.#handler = handler
    this.#options = options
    const { link, holdMs, signal } = options
    this.#listening = link.listen(() => this.#wake())
    this.#stalledCheck = setInterval(() => {
      void link.ask('look for stalled jobs', (server) => server.checkStalled())
    }, holdMs / 3)
    signal?.addEventListener('abort', () => void this[Symbol.asyncDispose](), { once: true })
    this.#wake()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#listening[Symbol.dispose]()
    clearInterval(this.#stalledCheck)
    clearTimeout(this.#retryTimer)
    await Promise.all(this.#running)
  }

  #wake(): void {
    this.#wasWoken = true
    if (!this.#isTaking) void this.#takeAll()
  }

  async #takeAll(): Promise<void> {
    const { link, holdMs } = this.#options
    this.#isTaking = true
    while (this.#hasRoom()) {
      this.#wasWoken = false
      const job = await link.ask('take a job', (server) => server.take(holdMs))
      if (job) this.#start(job)
      else if (!this.#wasWoken) break
    }
    this.#isTaking = false
    if (!this.#isClosed) await this.#awaitRetry()
  }

  async #awaitRetry(): Promise<void> {
    const milliseconds = await this.#options.link.ask('next retry', (server) => server.nextRetryMs())
    clearTimeout(this.#retryTimer)
    if (milliseconds !== undefined && !this.#isClosed) {
      this.#retryTimer = setTimeout(() => this.#wake(), milliseconds + 1)
    }
  }

  #hasRoom(): boolean {
    const { share, concurrency } = this.#options
    const most = share?.(this.#running.size) ?? concurrency
    return !this.#isClosed && this.#running.size < most
  }

  #start(job: TakenJob): void {
    const run = this.#run(job).finally(() => {
      this.#running.delete(run)
      if (this.#runOf.get(job.key) === run) this.#runOf.delete(job.key)
      if (!this.#isClosed) this.#wake()
    })
    this.#running.add(run)
    this.#runOf.set(job.key, run)
  }

  async #run(job: TakenJob): Promise<void> {
    const { link, holdMs, signal: shutdown, retry } = this.#options
    const lost = new AbortController()
    const renew = async (): Promise<void> => {
      if (!(await link.ask(`hold ${job.key}`, (server) => server.renew(job, holdMs)))) lost.abort()
    }
    const renewal = setInterval(() => void renew(), holdMs / 2)
    // After a lost hold the same key can come again while its first run still comes to its end.
    const previous = this.#runOf.get(job.key)
    const signal = shutdown ? AbortSignal.any([lost.signal, shutdown]) : lost.signal
    try {
      await previous
      await this.#handler(job.key, signal, job.failedRuns > 0 ? undefined : job.waitedMs)
      await link.ask(`${job.key} is done`, (server) => server.end(job))
    } catch (error) {
      if (lost.signal.aborted) await link.ask(`enqueue ${job.key}`, (server) => server.enqueue(job.key))
      else if (shutdown?.aborted) await link.ask(`give ${job.key} back`, (server) => server.release(job))
      else {
        const failedRuns = job.failedRuns + 1
        const isRetried = isRetryable(error) && failedRuns < retry.attempts
        const pause = isRetried ? retryPause(retry, failedRuns) : undefined
        await link.ask(`${job.key} failed`, (server) => server.end(job, pause))
      }
    } finally {
      clearInterval(renewal)
    }
  }
}
