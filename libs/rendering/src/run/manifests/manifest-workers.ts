import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { errorFromFields } from '@wadi/errors/error-fields.ts'
import { IdleThreads } from '@wadi/engines/threads/idle-threads.ts'
import { limitProcessorTime } from '@wadi/engines/threads/processor-limit.ts'
import { startThread } from '@wadi/engines/threads/start-thread.ts'
import type { ManifestAnswer, ManifestJob, ReadManifests } from './manifest-job.ts'

/** Size and limits of the pool. */
export interface ManifestWorkersOptions {
  /** Most threads; default: the number of cores. */
  readonly threads?: number
  /** The longest time of a processor for one job; default: 20 seconds. */
  readonly timeoutMilliseconds?: number
  /** Memory of one thread; default: 512 MiB. */
  readonly memoryMiB?: number
  /** The time for which a thread without work is kept beside another one; default: 10 seconds. */
  readonly idleMilliseconds?: number
}

interface Waiting {
  readonly job: Omit<ManifestJob, 'progress'>
  readonly signal: AbortSignal | undefined
  readonly resolve: (read: ReadManifests) => void
  readonly reject: (error: unknown) => void
}

/** A job on its thread. */
interface Running {
  answered(answer: ManifestAnswer): void
  failed(error: Error & { readonly code?: string }): void
}

/**
 * Threads that parse, sort and write manifests and evaluate Jsonnet, so that hostile or large input neither blocks the
 * event loop nor takes the process down: a thread over its time or memory is killed and replaced.
 */
export class ManifestWorkers implements AsyncDisposable {
  readonly #threads: number
  readonly #timeoutMilliseconds: number
  readonly #memoryMiB: number
  readonly #all = new Map<Worker, Running | undefined>()
  readonly #idle: IdleThreads<Worker>
  readonly #waiting: Waiting[] = []
  #closed = false

  constructor(options: ManifestWorkersOptions = {}) {
    this.#threads = options.threads ?? availableParallelism()
    this.#timeoutMilliseconds = options.timeoutMilliseconds ?? 20_000
    this.#memoryMiB = options.memoryMiB ?? 512
    const milliseconds = options.idleMilliseconds ?? 10_000
    this.#idle = new IdleThreads({
      milliseconds,
      crowdedMilliseconds: milliseconds,
      isCrowded: () => true,
      // The last one stays, so that a single change does not wait for a start.
      retire: (worker) => (this.#all.size > 1 ? this.#end(worker) : this.#idle.add(worker)),
    })
  }

  /**
   * Reads the objects of the files, with what the user should know of them.
   * @throws InvalidInputError naming file and line, ResourceExhaustedError naming the file that took too much
   */
  run(job: Omit<ManifestJob, 'progress'>, signal?: AbortSignal): Promise<ReadManifests> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new UnavailableError('the manifest workers are closed')
      signal?.throwIfAborted()
      this.#waiting.push({ job, signal, resolve, reject })
      this.#next()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0))
      reject(new UnavailableError('the manifest workers are closed'))
    await Promise.all([...this.#all.keys()].map((worker) => worker.terminate()))
  }

  #next(): void {
    if (this.#waiting.length === 0) return
    const worker =
      this.#idle.take(() => false) ?? (this.#all.size < this.#threads ? this.#start() : undefined)
    const task = worker && this.#waiting.shift()
    if (worker === undefined || task === undefined) return
    if (task.signal?.aborted === true) {
      this.#idle.add(worker)
      task.reject(task.signal.reason)
      this.#next()
    } else this.#work(worker, task)
  }

  #start(): Worker {
    const worker = startThread({
      script: new URL('manifest-worker.ts', import.meta.url),
      memoryMiB: this.#memoryMiB,
    })
    worker.on('message', (answer: ManifestAnswer) => this.#all.get(worker)?.answered(answer))
    worker.on('error', (error: Error) => this.#all.get(worker)?.failed(error))
    worker.on('exit', () => this.#all.get(worker)?.failed(new UnavailableError('a manifest worker ended')))
    this.#all.set(worker, undefined)
    return worker
  }

  #end(worker: Worker): void {
    this.#idle.remove(worker)
    this.#all.delete(worker)
    void worker.terminate()
  }

  #work(worker: Worker, task: Waiting): void {
    const progress = new Int32Array(new SharedArrayBuffer(4))
    const file = (): string => task.job.files[Atomics.load(progress, 0)]?.file ?? 'manifests'
    const finish = (): void => {
      time[Symbol.dispose]()
      task.signal?.removeEventListener('abort', onAbort)
      this.#all.set(worker, undefined)
    }
    const discard = (error: unknown): void => {
      finish()
      this.#end(worker)
      task.reject(error)
      this.#next()
    }
    const milliseconds = this.#timeoutMilliseconds
    const time = limitProcessorTime(worker, milliseconds, () => {
      const limit = `reading its manifests took more than ${milliseconds / 1000} s of a processor; make it smaller`
      discard(new ResourceExhaustedError(limit, { at: { file: file() } }))
    })
    const onAbort = (): void => discard(task.signal?.reason)
    task.signal?.addEventListener('abort', onAbort, { once: true })
    worker.ref()
    this.#all.set(worker, {
      answered: (answer) => {
        finish()
        worker.unref()
        this.#idle.add(worker)
        if ('manifests' in answer) task.resolve(answer)
        else task.reject(errorFromFields(answer.failure))
        this.#next()
      },
      failed: (error) => {
        const exhausted = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        const limit = `reading its manifests took more than ${this.#memoryMiB} MiB of memory; make it smaller`
        const at = { file: file() }
        discard(exhausted ? new ResourceExhaustedError(limit, { at, cause: error }) : error)
      },
    })
    worker.postMessage({ ...task.job, progress }, [])
  }
}
