import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { errorFromFields } from '@wadi/errors/error-fields.ts'
import type { TemplateAnswer, TemplateJob } from './template-job.ts'
import type { TextsRequest } from './render-texts.ts'
import type { PackageTemplateRequest, TemplateNames } from './template.ts'

/** What accompanies one template. */
export interface TemplateCall {
  /** Ends the thread that works on the template, or takes the template out of the queue. */
  readonly signal?: AbortSignal | undefined
  /** Longest time for this one on its thread; default: that of the pool. */
  readonly timeoutMilliseconds?: number
  /** Called with the processor time that a thread spent on the template, in milliseconds, also when it failed. */
  readonly spent?: (milliseconds: number) => void
}

/** Size and limit of the pool. */
interface TemplateWorkersOptions {
  /** Most threads; default: the number of cores, 2 at least, so that a long one is not waited for, and 4 at most. */
  readonly threads?: number
  /** Longest time for one template, without waiting for a thread; default: 5 seconds. */
  readonly timeoutMilliseconds?: number
}

interface Task {
  readonly job: TemplateJob
  readonly spent: TemplateCall['spent']
  readonly timeoutMilliseconds: number
  readonly resolve: (output: string) => void
  readonly reject: (error: Error) => void
}

/** A task on its thread. */
interface Running {
  readonly task: Task
  readonly timer: NodeJS.Timeout
  readonly started: number
}

/**
 * Threads that render and inspect templates of Zarf packages and render texts of ApplicationSets, each with an engine of its own. They start when they are
 * needed, and idle ones do not keep the process alive. The engine bounds loops and values, but not what its functions do
 * inside, and cannot be interrupted: a thread that works on one template for too long, or whose engine ran out of memory,
 * is ended and replaced.
 */
export class TemplateWorkers implements AsyncDisposable {
  readonly #threads: number
  readonly #timeoutMilliseconds: number
  readonly #all = new Map<Worker, Running | undefined>()
  readonly #idle: Worker[] = []
  readonly #waiting: Task[] = []
  #closed = false

  constructor(options: TemplateWorkersOptions = {}) {
    this.#threads = options.threads ?? Math.max(2, Math.min(availableParallelism(), 4))
    this.#timeoutMilliseconds = options.timeoutMilliseconds ?? 5000
  }

  /**
   * Does what `renderPackage` of the engine does.
   * @throws InvalidInputError with Go's own message
   * @throws ResourceExhaustedError in the form of Go's messages when it takes too long or too much memory
   * @throws the signal's reason
   */
  renderPackage(request: PackageTemplateRequest, call: TemplateCall = {}): Promise<string> {
    return this.#run({ kind: 'render', ...request }, call)
  }

  /**
   * Does what `inspectPackage` of the engine does.
   * @throws what renderPackage throws
   */
  async inspectPackage(name: string, text: string, call: TemplateCall = {}): Promise<TemplateNames> {
    const names: TemplateNames = JSON.parse(await this.#run({ kind: 'inspect', name, text }, call))
    return names
  }

  /**
   * Renders texts with the same values, on one thread. `name` stands for them when they take too long.
   * @throws what `renderTexts` and renderPackage throw
   */
  async renderTexts(name: string, request: TextsRequest, call: TemplateCall = {}): Promise<string[]> {
    const texts: string[] = JSON.parse(await this.#run({ kind: 'texts', name, ...request }, call))
    return texts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all.keys()].map((worker) => this.#end(worker, closedError())))
  }

  async #run(job: TemplateJob, call: TemplateCall): Promise<string> {
    const { signal, spent, timeoutMilliseconds = this.#timeoutMilliseconds } = call
    if (this.#closed) throw closedError()
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const task: Task = { job, spent, timeoutMilliseconds, resolve, reject }
    const onAbort = (): void => this.#abort(task, abortReason(signal))
    signal?.addEventListener('abort', onAbort)
    try {
      this.#waiting.push(task)
      this.#next()
      return await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#closed) return
    const worker = this.#idle.pop()
    const task = worker && this.#waiting.shift()
    if (worker !== undefined && task !== undefined) this.#work(worker, task)
    else if (this.#all.size < this.#threads) this.#start()
  }

  #start(): void {
    // Options of the process, such as those for code that is given in its arguments, are not for a thread.
    const options = { env: {}, execArgv: [] }
    const worker = new Worker(new URL('template-worker.ts', import.meta.url), options)
    this.#all.set(worker, undefined)
    worker.once('message', () => {
      worker.on('message', (answer: TemplateAnswer) => this.#answered(worker, answer))
      this.#rest(worker)
    })
    worker.on('error', (error: Error) => void this.#end(worker, error))
    worker.on('exit', () => void this.#end(worker, new UnavailableError('a thread for templates ended')))
  }

  #work(worker: Worker, task: Task): void {
    const { name } = task.job
    const timer = setTimeout(() => {
      const seconds = task.timeoutMilliseconds / 1000
      const message = `template: ${name}:1: takes more than ${seconds} s: make it simpler`
      void this.#end(worker, new ResourceExhaustedError(message))
    }, task.timeoutMilliseconds)
    this.#all.set(worker, { task, timer, started: performance.now() })
    worker.ref()
    worker.postMessage(task.job, [])
  }

  #answered(worker: Worker, answer: TemplateAnswer): void {
    const running = this.#all.get(worker)
    if (running === undefined) return
    const failure = 'failure' in answer ? errorFromFields(answer.failure) : undefined
    if (failure instanceof ResourceExhaustedError) {
      // The memory of an engine is given back with its thread.
      void this.#end(worker, failure)
      return
    }
    clearTimeout(running.timer)
    this.#all.set(worker, undefined)
    running.task.spent?.(answer.milliseconds)
    if ('output' in answer) running.task.resolve(answer.output)
    else running.task.reject(errorFromFields(answer.failure))
    this.#rest(worker)
  }

  #rest(worker: Worker): void {
    worker.unref()
    this.#idle.push(worker)
    this.#next()
  }

  #abort(task: Task, reason: Error): void {
    for (const [worker, running] of this.#all) {
      if (running?.task === task) void this.#end(worker, reason)
    }
    const place = this.#waiting.indexOf(task)
    if (place >= 0) this.#waiting.splice(place, 1)
    task.reject(reason)
  }

  /** Ends a thread and fails what it works on. One that never got to work fails all that wait: the next would not either. */
  async #end(worker: Worker, error: Error): Promise<void> {
    if (!this.#all.has(worker)) return
    const running = this.#all.get(worker)
    this.#all.delete(worker)
    if (running === undefined) {
      for (const task of this.#waiting.splice(0)) task.reject(error)
    } else {
      clearTimeout(running.timer)
      running.task.spent?.(performance.now() - running.started)
      running.task.reject(error)
    }
    this.#next()
    await worker.terminate()
  }
}

let shared: TemplateWorkers | undefined

/** The threads of this process; they start when the first template comes. */
export function templateWorkers(): TemplateWorkers {
  shared ??= new TemplateWorkers()
  return shared
}

function closedError(): UnavailableError {
  return new UnavailableError('the threads for templates are closed')
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error(String(reason))
}
