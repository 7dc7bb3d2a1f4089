/**
 * A queue with at most one job per hydrated branch, for any number of producers and workers.
 *
 * Promises, kept by every implementation:
 * - Of one key at most one job runs at a time, over all processes. A worker that loses its hold on a job (its process
 *   was frozen, the queue's data was wiped) learns it through the handler's signal; until the handler ends, another
 *   process may run the key, so what the handler writes needs its own check.
 * - While a job waits, further enqueues of its key fold into it; while one runs, exactly one follows it.
 *   So every enqueue is followed by a run that starts after it.
 * - A job carries its key alone; what is to do is read from durable state when the run starts.
 * - A handler that throws is retried after a growing pause with jitter, unless the error is a `DomainError` that is not
 *   `retryable`. After the last attempt, and after an error that is not retryable, the key rests until it is
 *   enqueued again. An enqueue during the pause starts the key at once, with all attempts.
 * - A worker that dies in a job costs time: another worker runs the key again.
 * - Jobs may be lost with the queue's storage; callers enqueue again from durable state, periodically.
 */
export interface BranchQueue extends AsyncDisposable {
  /** Resolves when the key is queued. While the queue's server is unreachable it waits for its return. */
  enqueue(key: string): Promise<void>

  /**
   * Runs `handler` for queued keys until the returned worker is disposed.
   * Disposing takes no further job, waits until the running handlers end and leaves the rest to others.
   */
  work(handler: BranchHandler, options: WorkOptions): AsyncDisposable

  /** Returns what keeps jobs from being queued and run, or undefined: for readiness probes. */
  check(): Promise<string | undefined>

  /** The advice for the operator of a queue that works, such as about a Redis that may drop jobs; undefined without any. */
  readonly warning: string | undefined

  /** Returns what an operator should change about the queue's server; nothing while it cannot be reached. */
  findings(): Promise<QueueFinding[]>

  /** Counts jobs over all processes. The follower of a running job counts as waiting once that one has ended. */
  depth(): Promise<QueueDepth>

  /** Returns the states of all keys with a job, over all processes; at most 10,000 keys. */
  states(): Promise<ReadonlyMap<string, JobState>>
}

/** Something about the queue's server that an operator should look at. */
export interface QueueFinding {
  /** `info` costs time alone. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  /** A command that fixes it. */
  readonly remedy: string
}

/** The state of a key: it waits for a worker, runs, or pauses before a retry. */
export type JobState = keyof QueueDepth

/** The most keys whose states are returned. */
export const maxStates = 10_000

/**
 * Does the work of one key. The signal aborts when the hold on the job is lost or `WorkOptions.signal` aborts;
 * the handler then stops soon and throws. `waitedMs` is the time from the enqueue of the job until now, in milliseconds by the clocks of
 * both processes; undefined for a retry.
 */
export type BranchHandler = (key: string, signal: AbortSignal, waitedMs: number | undefined) => Promise<void>

/** The options of a worker. */
export interface WorkOptions {
  /** The number of keys that this worker runs at a time, at least 1. */
  concurrency: number
  /**
   * Returns the most keys that it takes while other processes could take them, from 1 to `concurrency`; called at the
   * start and when a run ended, with the number of runs that go on. A queue of a single process does not call it.
   */
  share?: (running: number) => number
  /**
   * The end of patience: its abort aborts the running handlers and stops the worker. Everything that a handler throws after that
   * is not a failure: its key waits again.
   */
  signal?: AbortSignal
}

/** The number of jobs in each state; `delayed` ones pause before a retry. */
export interface QueueDepth {
  waiting: number
  active: number
  delayed: number
}
