import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { errorFromFields } from '@wadi/errors/error-fields.ts'
import type { WorkerAnswer } from './answer-job.ts'
import { IdleThreads } from './idle-threads.ts'
import type { PoolProgram, WorkerCall, WorkerPoolOptions } from './pool-options.ts'
import { limitProcessorTime } from './processor-limit.ts'
import { startThread } from './start-thread.ts'
import { type ThreadOwner, type ThreadRoom, threadRoom } from './thread-room.ts'

interface Task<Job> {
  readonly job: Job
  /** True when a further thread may start for it. */
  isUrgent: boolean
  readonly call: WorkerCall
  readonly resolve: (output: string) => void
  readonly reject: (error: unknown) => void
}

/** A task on its thread. */
interface Running<Job> {
  readonly task: Task<Job>
  readonly time: Disposable
  readonly started: number
}

/** Most affinities of one thread that are remembered; what the thread keeps has its own bound. */
const maxAffinities = 1000

/**
 * Threads with a program each. They start when they are needed, beyond the first one only while a processor is free (`ThreadRoom`); idle
 * ones do not keep the process alive, and end after a while, sooner when pools of other programs have threads too, as Go never gives memory
 * back. A program cannot be interrupted: a thread that works on one job for too long, or whose program ran out of memory, is
 * ended and replaced.
 */
export class WorkerPool<Job extends object> implements AsyncDisposable {
  readonly #owner: ThreadOwner
  readonly #room: ThreadRoom
  readonly #program: PoolProgram
  readonly #placeOf: (job: Job) => string
  readonly #threads: number
  readonly #timeoutMilliseconds: number
  readonly #patienceMilliseconds: number
  readonly #all = new Map<Worker, Running<Job> | undefined>()
  readonly #affinities = new WeakMap<Worker, Set<string>>()
  readonly #idle: IdleThreads<Worker>
  #loaded: Promise<object> | undefined
  #forgetting: NodeJS.Timeout | undefined
  #starting = 0
  readonly #waiting: Task<Job>[] = []
  #closed = false

  /** @param placeOf begins the message about a job that takes too long */
  constructor(program: PoolProgram, placeOf: (job: Job) => string, options: WorkerPoolOptions = {}) {
    this.#program = program
    this.#owner = this.#asOwner()
    this.#room = options.room ?? threadRoom
    this.#placeOf = placeOf
    this.#threads = options.threads ?? Math.max(2, Math.min(availableParallelism(), 4))
    this.#timeoutMilliseconds = options.timeoutMilliseconds ?? 5000
    this.#patienceMilliseconds = options.patienceMilliseconds ?? 0
    this.#idle = new IdleThreads({
      milliseconds: options.idleMilliseconds ?? 60_000,
      crowdedMilliseconds: options.crowdedIdleMilliseconds ?? 5_000,
      isCrowded: () => this.#room.isShared(this.#owner),
      retire: (worker, left) => this.#retire(worker, left),
    })
  }

  /** True if there is a thread, even one that is still starting. */
  get isStarted(): boolean {
    return this.#owner.threads() > 0
  }

  /** True if a thread has its program loaded, so that a job need not wait for a start. */
  get isReady(): boolean {
    return this.#idle.size > 0 || this.#all.values().some((running) => running !== undefined)
  }

  /** Notes a process of the tool whose work the threads do as well, until the returned value is disposed. */
  addTool(): Disposable {
    return this.#room.addProcess(this.#owner)
  }

  /** True if a thread had a job with this affinity. */
  isKnown(affinity: string): boolean {
    return this.#all.keys().some((worker) => this.#affinities.get(worker)?.has(affinity) === true)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#failWaiting(closedError())
    await Promise.all([...this.#all.keys()].map((worker) => this.#end(worker, closedError())))
  }

  /**
   * Returns the output of a job.
   * @throws what the thread answers, ResourceExhaustedError when it takes too long, the signal's reason
   */
  async run(job: Job, call: WorkerCall = {}): Promise<string> {
    const { signal } = call
    if (this.#closed) throw closedError()
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const isUrgent = this.#patienceMilliseconds === 0
    const task: Task<Job> = { job, call, isUrgent, resolve, reject }
    const onAbort = (): void => this.#abort(task, signal?.reason)
    signal?.addEventListener('abort', onAbort)
    const becomeUrgent = (): void => {
      task.isUrgent = true
      this.#next()
    }
    const patience = isUrgent ? undefined : setTimeout(becomeUrgent, this.#patienceMilliseconds).unref()
    try {
      this.#waiting.push(task)
      this.#next()
      return await promise
    } finally {
      clearTimeout(patience)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined || this.#closed) return
    const { affinity } = first.call
    const worker = this.#idle.take(
      (idle) => affinity !== undefined && this.#affinities.get(idle)?.has(affinity) === true,
    )
    if (worker !== undefined) {
      this.#waiting.shift()
      this.#work(worker, first)
    } else if (this.#mayStart(first) && this.#room.take(this.#owner)) void this.#start()
  }

  #mayStart({ isUrgent }: Task<Job>): boolean {
    const threads = this.#owner.threads()
    return threads === 0 || (threads < this.#threads && isUrgent)
  }

  #asOwner(): ThreadOwner {
    return {
      tool: this.#program.tool,
      threads: () => this.#all.size + this.#starting,
      idle: () => this.#idle.size,
      idleSince: () => this.#idle.since,
      endIdle: () => this.#idle.retireFirst(),
      next: () => this.#next(),
    }
  }

  async #start(): Promise<void> {
    this.#starting++
    try {
      this.#loaded ??= this.#program.load()
      const data = await this.#loaded
      if (!this.#closed) this.#startThread(data)
    } catch (error) {
      this.#loaded = undefined
      this.#failWaiting(error)
    } finally {
      this.#starting--
      this.#room.freed(this.#owner)
    }
  }

  #startThread(workerData: object): void {
    const { script, memoryMiB } = this.#program
    const worker = startThread({ script, memoryMiB, workerData })
    this.#all.set(worker, undefined)
    this.#affinities.set(worker, new Set())
    worker.once('message', () => {
      worker.on('message', (answer: WorkerAnswer) => this.#answered(worker, answer))
      this.#rest(worker)
    })
    worker.on('error', (error: Error) => void this.#end(worker, error))
    worker.on('exit', () => void this.#end(worker, new UnavailableError('a thread of a pool ended')))
  }

  #work(worker: Worker, task: Task<Job>): void {
    const { timeoutMilliseconds = this.#timeoutMilliseconds, affinity } = task.call
    const time = limitProcessorTime(worker, timeoutMilliseconds, () => {
      const seconds = timeoutMilliseconds / 1000
      const message = `${this.#placeOf(task.job)}: takes more than ${seconds} s: make it simpler`
      void this.#end(worker, new ResourceExhaustedError(message))
    })
    const affinities = this.#affinities.get(worker)
    if (affinity !== undefined && affinities !== undefined) {
      if (affinities.size >= maxAffinities) affinities.clear()
      affinities.add(affinity)
    }
    this.#all.set(worker, { task, time, started: performance.now() })
    worker.ref()
    worker.postMessage(task.job, [])
  }

  #answered(worker: Worker, answer: WorkerAnswer): void {
    const running = this.#all.get(worker)
    if (running === undefined) return
    const failure = 'failure' in answer ? errorFromFields(answer.failure) : undefined
    if (failure instanceof ResourceExhaustedError) {
      // The memory of a program is given back with its thread.
      void this.#end(worker, failure)
      return
    }
    running.time[Symbol.dispose]()
    this.#all.set(worker, undefined)
    running.task.call.spent?.(answer.milliseconds)
    if ('output' in answer) running.task.resolve(answer.output)
    else running.task.reject(errorFromFields(answer.failure))
    this.#rest(worker)
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle.add(worker)
    this.#next()
    this.#room.freed(this.#owner)
  }

  /** The compiled program, whose bytes and code are 20 MiB, stays for a while: with it, another thread starts in half the time. */
  #retire(worker: Worker, compiledMilliseconds: number): void {
    void this.#end(worker, closedError())
    const forget = (): void => {
      if (this.#owner.threads() === 0) this.#loaded = undefined
    }
    clearTimeout(this.#forgetting)
    if (compiledMilliseconds > 0) this.#forgetting = setTimeout(forget, compiledMilliseconds).unref()
    else forget()
  }

  #abort(task: Task<Job>, reason: unknown): void {
    for (const [worker, running] of this.#all) {
      if (running?.task === task) void this.#end(worker, reason)
    }
    const place = this.#waiting.indexOf(task)
    if (place >= 0) this.#waiting.splice(place, 1)
    task.reject(reason)
  }

  #failWaiting(error: unknown): void {
    for (const task of this.#waiting.splice(0)) task.reject(error)
  }

  /** Ends a thread and fails what it works on. One that never got to work fails all that wait: the next would not either. */
  async #end(worker: Worker, error: unknown): Promise<void> {
    if (!this.#all.has(worker)) return
    const running = this.#all.get(worker)
    this.#all.delete(worker)
    const wasIdle = this.#idle.remove(worker)
    if (running === undefined && !wasIdle) {
      this.#failWaiting(error)
    } else if (running !== undefined) {
      running.time[Symbol.dispose]()
      running.task.call.spent?.(performance.now() - running.started)
      running.task.reject(error)
    }
    this.#next()
    this.#room.freed(this.#owner)
    await worker.terminate()
  }
}

function closedError(): UnavailableError {
  return new UnavailableError('the threads of the pool are closed')
}
