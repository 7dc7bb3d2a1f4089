import type { ThreadRoom } from './thread-room.ts'

/** The options of one job. */
export interface WorkerCall {
  /** Ends the thread that works on the job, or takes the job out of the queue. */
  readonly signal?: AbortSignal | undefined
  /** The longest time of a processor for this one; default: that of the pool. */
  readonly timeoutMilliseconds?: number
  /** Called with the processor time that a thread spent on the job, in milliseconds, also when it failed. */
  readonly spent?: (milliseconds: number) => void
  /** The kind of data that a thread keeps for such jobs: one that had such a job before is preferred. */
  readonly affinity?: string
}

/** Size and limit of a pool. */
export interface WorkerPoolOptions {
  /** Most threads; default: the number of cores, 2 at least, so that a long job is not waited for, and 4 at most. */
  readonly threads?: number
  /** The longest time of a processor for one job; default: 5 seconds. */
  readonly timeoutMilliseconds?: number
  /** The time for which a job waits before a further thread starts for it; default: none. */
  readonly patienceMilliseconds?: number
  /** The time for which a thread without work is kept, with everything that it has loaded; default: a minute. */
  readonly idleMilliseconds?: number
  /** The same while other pools of the process have threads too; default: 5 seconds, up to twice as long. */
  readonly crowdedIdleMilliseconds?: number
  /** The room that it shares with other pools; default: that of the process. */
  readonly room?: ThreadRoom
}

/** The program that the threads of a pool run. */
export interface PoolProgram {
  /** The module that each thread begins with. */
  readonly script: URL
  /** The tool whose work it does, of whatever version. */
  readonly tool: string
  /** Returns the data that each thread begins with, such as a compiled program; called once for all threads. */
  readonly load: () => Promise<object>
  /** Memory of one thread, without that of Go programs; default: that of V8. */
  readonly memoryMiB?: number
}
