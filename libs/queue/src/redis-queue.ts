import { randomUUID } from 'node:crypto'
import { UnavailableError, errorMessage } from '@wadi/errors/domain-error.ts'
import { type Job, type JobType, Queue } from 'bullmq'
import { pino } from 'pino'
import type { Logger } from 'pino'
import {
  type BranchHandler,
  type BranchQueue,
  type JobState,
  maxStates,
  type QueueDepth,
  type QueueFinding,
  type WorkOptions,
} from './branch-queue.ts'
import { type Lane, singleLane } from '@wadi/concurrency/fair-order.ts'
import { redisAddress } from './redis-address.ts'
import { openRedisConnection, type RedisConnection } from './redis-connection.ts'
import { evictionPolicy, redisFindings } from './redis-findings.ts'
import { RedisLanes } from './redis-lanes.ts'
import { RedisTrouble } from './redis-trouble.ts'
import { RedisWorker, settlesWithin } from './redis-worker.ts'
import { defaultRetryPolicy } from './retry-policy.ts'
import type { RetryPolicy } from './retry-policy.ts'

const queueName = 'hydrated-branches'
const checkTimeoutMs = 2_000

/** Settings of a queue in Redis. */
export interface RedisQueueOptions {
  /** As `redisAddress` takes it; never logged. */
  url: string
  /** Returns the lane of a key, which says when it is its turn; default: one for all. */
  laneOf?: (key: string) => Lane
  /**
   * Begins every key in Redis; queues with different prefixes do not see each other. Defaults to `wadi`. In a cluster it gets
   * braces, unless it has some, so that all keys share a slot.
   */
  prefix?: string
  /**
   * The time that a job stays with a worker that gives no sign of life, in ms; a killed worker delays a key by at most
   * five thirds of it. A worker whose event loop is blocked for longer loses its jobs. Defaults to 30,000.
   */
  lockDurationMs?: number
  /** Defaults to `defaultRetryPolicy`. */
  retry?: RetryPolicy
  /** Told of failed runs, lost jobs and connection trouble; without it they are silent. */
  logger?: Logger
  /** Hears of an eviction policy that may take jobs away, at each connection. */
  onEviction?: (warning: string) => void
}

/**
 * Opens a queue in Redis 6.2 or newer, shared by all processes with the same Redis and prefix.
 * Returns before there is a connection. While Redis is unreachable, calls wait for its return.
 * @throws InvalidInputError when the URL is none of Redis.
 */
export function openRedisQueue(options: RedisQueueOptions): BranchQueue {
  return new RedisQueue(options)
}

class RedisQueue implements BranchQueue {
  readonly #connection: RedisConnection
  readonly #laneOf: (key: string) => Lane
  readonly #lanes: RedisLanes
  readonly #queue: Queue<{ key: string }>
  readonly #prefix: string
  readonly #lockDurationMs: number
  readonly #retry: RetryPolicy
  readonly #logger: Logger
  readonly #onEviction: (warning: string) => void
  readonly #workers = new Set<RedisWorker>()
  readonly #trouble: RedisTrouble
  #closed = false
  #eviction: string | undefined

  constructor(options: RedisQueueOptions) {
    this.#prefix = prefixFor(options)
    this.#lockDurationMs = options.lockDurationMs ?? 30_000
    this.#retry = options.retry ?? defaultRetryPolicy
    this.#logger = options.logger ?? pino({ enabled: false })
    this.#onEviction = options.onEviction ?? (() => undefined)
    this.#connection = openRedisConnection(options.url)
    this.#laneOf = options.laneOf ?? (() => singleLane)
    this.#lanes = new RedisLanes(this.#connection, `${this.#prefix}:${queueName}`)
    this.#trouble = new RedisTrouble(this.#logger)
    this.#connection.on('error', (error) => this.#trouble.record(error, 'no connection to Redis'))
    this.#connection.on('ready', () => {
      void this.#probe()
      void this.#warnOfEviction()
    })
    this.#queue = new Queue(queueName, {
      connection: this.#connection,
      prefix: this.#prefix,
      streams: { events: { maxLen: 100 } },
    })
    // The connection above reports the same errors.
    this.#queue.on('error', () => undefined)
  }

  async enqueue(key: string): Promise<void> {
    if (this.#closed) throw new UnavailableError('the queue is closed')
    const known = this.#trouble.advice
    if (known !== undefined) throw new UnavailableError(known)
    try {
      await this.#add(key)
    } catch (error) {
      const advice = this.#trouble.record(asError(error), 'a branch cannot be queued')
      throw advice === undefined ? error : new UnavailableError(advice, { cause: error })
    }
  }

  async #add(key: string): Promise<void> {
    await this.#queue.add(
      'hydrate',
      { key },
      {
        // BullMQ's own ids begin again after a flush, and a new job would take the lock of a running one.
        jobId: randomUUID(),
        priority: await this.#lanes.enter(key, this.#laneOf(key)),
        // `replace` exchanges a job that pauses before a retry for one that starts at once.
        deduplication: { id: key, keepLastIfActive: true, replace: true },
        attempts: this.#retry.attempts,
        backoff: { type: 'retryPolicy' },
        removeOnComplete: true,
        removeOnFail: true,
        stackTraceLimit: 0,
      },
    )
  }

  work(handler: BranchHandler, options: WorkOptions): AsyncDisposable {
    const worker = new RedisWorker(handler, {
      ...options,
      connection: this.#connection,
      queueName,
      prefix: this.#prefix,
      lockDurationMs: this.#lockDurationMs,
      retry: this.#retry,
      logger: this.#logger,
      enqueue: (key) => this.enqueue(key),
      onStart: (key) => this.#lanes.leave(key),
      trouble: this.#trouble,
      probe: () => this.#probe(),
      onClosed: () => this.#workers.delete(worker),
    })
    this.#workers.add(worker)
    return worker
  }

  async check(): Promise<string | undefined> {
    const { status } = this.#connection
    if (status !== 'ready') return this.#trouble.advice ?? `Redis cannot be reached (${status})`
    const probed = this.#probe()
    if (!(await settlesWithin(probed, checkTimeoutMs))) {
      return `Redis does not answer within ${checkTimeoutMs / 1000} s`
    }
    return probed
  }

  /** Does what the queue does all the time, writes of several keys and of new ones; returns what is wrong. */
  async #probe(): Promise<string | undefined> {
    const key = `${this.#prefix}:${queueName}:probe`
    try {
      await this.#connection.set(key, '1', 'PX', 1_000)
      await this.#connection.del(key, `${key}:other`)
      this.#trouble.clear()
      return undefined
    } catch (error) {
      const { message } = asError(error)
      return this.#trouble.record(asError(error), 'Redis is of no use') ?? message
    }
  }

  get warning(): string | undefined {
    return this.#eviction
  }

  async findings(): Promise<QueueFinding[]> {
    return this.#connection.status === 'ready' ? redisFindings(this.#connection) : []
  }

  async depth(): Promise<QueueDepth> {
    const counts = await this.#queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed')
    const waiting = (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0)
    return { waiting, active: counts['active'] ?? 0, delayed: counts['delayed'] ?? 0 }
  }

  async states(): Promise<ReadonlyMap<string, JobState>> {
    const states = new Map<string, JobState>()
    // In the order of a job's life, so that one that goes on meanwhile is not missed; an empty place is a job that ended.
    for (const state of ['delayed', 'waiting', 'active'] as const) {
      const places: JobType[] = state === 'waiting' ? ['waiting', 'prioritized'] : [state]
      const jobs: (Job<{ key: string }> | undefined)[] = await this.#queue.getJobs(places, 0, maxStates - 1)
      for (const job of jobs) if (job && states.size < maxStates) states.set(job.data.key, state)
    }
    return states
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker[Symbol.asyncDispose]()))
    this.#closed = true
    await settlesWithin(this.#queue.close(), 1000)
    this.#connection.disconnect()
  }

  async #warnOfEviction(): Promise<void> {
    try {
      const policy = await evictionPolicy(this.#connection)
      this.#eviction =
        policy !== undefined
          ? `Redis may evict queued jobs (maxmemory-policy ${policy}): set maxmemory-policy to noeviction in its configuration`
          : undefined
      if (this.#eviction === undefined) return
      this.#logger.warn({ policy }, this.#eviction)
      this.#onEviction(this.#eviction)
    } catch (error) {
      this.#logger.warn({ error: errorMessage(error) }, 'the maxmemory-policy of Redis could not be read')
    }
  }
}

function prefixFor({ url, prefix = 'wadi' }: RedisQueueOptions): string {
  return redisAddress(url).kind === 'cluster' && !/\{.+\}/.test(prefix) ? `{${prefix}}` : prefix
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
