import { setTimeout as pause } from 'node:timers/promises'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { UnrecoverableError, WaitingError, Worker } from 'bullmq'
import type { Job } from 'bullmq'
import type { Logger } from 'pino'
import type { BranchHandler, WorkOptions } from './branch-queue.ts'
import { duplicateOf, type RedisConnection } from './redis-connection.ts'
import type { RedisTrouble } from './redis-trouble.ts'
import { isRetryable, retryPause } from './retry-policy.ts'
import type { RetryPolicy } from './retry-policy.ts'

interface RedisWorkerOptions extends WorkOptions {
  /** The queue's, from which the worker makes its own. */
  connection: RedisConnection
  queueName: string
  prefix: string
  lockDurationMs: number
  retry: RetryPolicy
  logger: Logger
  enqueue: (key: string) => Promise<void>
  /** Called with a key when it runs. */
  onStart: (key: string) => Promise<void>
  trouble: RedisTrouble
  /** Returns what keeps Redis from being of use. */
  probe: () => Promise<string | undefined>
  onClosed: () => void
}

/**
 * A job is taken over at the first check after its lock ended, and BullMQ skips a check that comes less than an interval after
 * another: two thirds of a lock later at the latest.
 */
const checksPerLock = 3

/** Time between two looks at a Redis that is of no use, in milliseconds. */
const restMs = 2_000

/**
 * Seconds that a worker without a running job waits for BullMQ to close. ioredis 6.0.0 may call a cluster of dead nodes ready, or end its
 * connections without a word; BullMQ then waits for ever.
 */
const maxIdleWaits = 5

/** Runs the jobs of a queue in Redis, with a connection of its own. */
export class RedisWorker implements AsyncDisposable {
  readonly #handler: BranchHandler
  readonly #options: RedisWorkerOptions
  readonly #connection: RedisConnection
  readonly #worker: Worker<{ key: string }>
  /** The last run of each key in this worker, as long as it lasts. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #followUps = new Set<Promise<void>>()
  #closing: Promise<void> | undefined
  #resting = false

  constructor(handler: BranchHandler, options: RedisWorkerOptions) {
    this.#handler = handler
    this.#options = options
    const { logger, lockDurationMs } = options
    const connection = duplicateOf(options.connection)
    this.#connection = connection
    connection.on('error', (error) => options.trouble.record(error, 'no connection to Redis'))
    this.#worker = new Worker<{ key: string }>(
      options.queueName,
      // BullMQ hands the signal only to a function with three parameters.
      (job, token, lost) => this.#run(job, token, lost),
      {
        connection,
        prefix: options.prefix,
        concurrency: options.share?.(0) ?? options.concurrency,
        lockDuration: lockDurationMs,
        // Redis takes whole milliseconds alone.
        stalledInterval: Math.ceil(lockDurationMs / checksPerLock),
        // A worker's death is not an error of its job: only the handler's own errors use up attempts.
        maxStalledCount: 1_000_000,
        runRetryDelay: 1000,
        settings: { backoffStrategy: (failedRuns) => retryPause(options.retry, failedRuns) },
      },
    )
    this.#worker.on('error', (error) => {
      const advice = options.trouble.record(error, 'queue worker')
      if (advice !== undefined) void this.#rest()
    })
    this.#worker.on('stalled', (job) => logger.warn({ job }, 'a worker lost a job, which waits again'))
    this.#worker.on('lockRenewalFailed', (jobs) => {
      for (const job of jobs) this.#worker.cancelJob(job, 'the hold on this job is lost')
    })
    this.#worker.on('failed', (job) => {
      if (job !== undefined) this.#track(this.#followAtOnce(job.data.key))
    })
    if (options.signal?.aborted) void this[Symbol.asyncDispose]()
    options.signal?.addEventListener('abort', () => void this[Symbol.asyncDispose](), { once: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    // Of a Redis that rejects everything BullMQ waits for an answer to its last command for ever.
    const closed = this.#worker.close(this.#running.size === 0 && this.#options.trouble.advice !== undefined)
    // With no handler left only Redis is waited for; when it is unreachable, the jobs wait for other workers there.
    let idleWaits = 0
    while (idleWaits < maxIdleWaits && !(await settlesWithin(closed, 1000))) {
      if (this.#running.size > 0) continue
      idleWaits += 1
      if (this.#connection.status !== 'ready') this.#connection.disconnect()
    }
    await settlesWithin(Promise.all(this.#followUps), 1000)
    this.#connection.disconnect()
    this.#options.onClosed()
  }

  /** Takes no job until Redis is of use again: BullMQ repeats a rejected command without a pause. */
  async #rest(): Promise<void> {
    if (this.#resting) return
    this.#resting = true
    try {
      await this.#worker.pause(true)
      while (!this.#closing) {
        await pause(restMs, undefined, { ref: false })
        if ((await this.#options.probe()) === undefined) break
      }
      if (!this.#closing) await this.#worker.resume()
    } finally {
      this.#resting = false
    }
  }

  async #run(
    job: Job<{ key: string }>,
    token: string | undefined,
    lost: AbortSignal | undefined,
  ): Promise<void> {
    const { key } = job.data
    // After a lost lock or a flush the same key can come again while its first handler still comes to its end.
    const previous = this.#running.get(key)
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    this.#running.set(key, ended)
    this.#track(this.#options.onStart(key))
    try {
      await previous
      await this.#handle(job, token, lost ?? new AbortController().signal)
    } finally {
      end()
      if (this.#running.get(key) === ended) this.#running.delete(key)
      this.#worker.concurrency = this.#options.share?.(this.#running.size) ?? this.#options.concurrency
    }
  }

  async #handle(job: Job<{ key: string }>, token: string | undefined, lost: AbortSignal): Promise<void> {
    const { key } = job.data
    const { signal: shutdown, logger } = this.#options
    try {
      const signal = shutdown === undefined ? lost : AbortSignal.any([lost, shutdown])
      await this.#handler(key, signal, waitedMs(job))
    } catch (error) {
      if (lost.aborted) {
        logger.warn({ key, error: errorMessage(error) }, 'run ended after the hold on its job was lost')
        this.#track(this.#options.enqueue(key))
        throw new WaitingError()
      }
      if (shutdown?.aborted) {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      const failedRuns = job.attemptsMade + 1
      const retried = isRetryable(error) && failedRuns < this.#options.retry.attempts
      logger[retried ? 'debug' : 'warn'](
        { key, failedRuns, retried, error: errorMessage(error) },
        'run failed',
      )
      // BullMQ writes the message into Redis, which is no place for what a renderer printed.
      throw retried ? new Error('run failed') : new UnrecoverableError('run failed')
    }
  }

  /**
   * Starts what was enqueued while a failed job ran. BullMQ keeps that until the job itself ends, which may be
   * after many pauses; another enqueue exchanges both for one job that starts at once.
   */
  async #followAtOnce(key: string): Promise<void> {
    const { prefix, queueName, enqueue } = this.#options
    if ((await this.#connection.exists(`${prefix}:${queueName}:dn:${key}`)) === 1) await enqueue(key)
  }

  #track(followUp: Promise<void>): void {
    const logged = followUp
      .catch((error: unknown) => this.#options.logger.warn({ error: errorMessage(error) }, 'queue worker'))
      .finally(() => this.#followUps.delete(logged))
    this.#followUps.add(logged)
  }
}

/** Returns whether a promise is fulfilled or rejected within the time. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: elapsed, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), milliseconds)
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, elapsed]).finally(() => clearTimeout(timer))
}

function waitedMs({ attemptsMade, timestamp }: Job): number | undefined {
  return attemptsMade > 0 ? undefined : Math.max(0, Date.now() - timestamp)
}
