import type { TemplateJob } from './template-job.ts'
import type { TextsRequest } from './render-texts.ts'
import type { PackageTemplateRequest, TemplateNames } from './template.ts'
import { goPoolProgram } from '../threads/go-pool-program.ts'
import type { WorkerCall, WorkerPoolOptions } from '../threads/pool-options.ts'
import { WorkerPool } from '../threads/worker-pool.ts'

/** The options of one template's call. */
export type TemplateCall = Omit<WorkerCall, 'affinity'>

/**
 * Threads that render and inspect templates of Zarf packages and render texts of ApplicationSets, each with an engine of its
 * own. The engine bounds loops and values, but not what its functions do inside.
 */
export class TemplateWorkers implements AsyncDisposable {
  readonly #pool: WorkerPool<TemplateJob>

  constructor(options: WorkerPoolOptions = {}) {
    const script = new URL('template-worker.ts', import.meta.url)
    const program = goPoolProgram(script, 'template')
    this.#pool = new WorkerPool(program, ({ name }) => `template: ${name}:1`, options)
  }

  /**
   * Does what `renderPackage` of the engine does.
   * @throws InvalidInputError with Go's own message
   * @throws ResourceExhaustedError in the form of Go's messages when it takes too long or too much memory
   * @throws the signal's reason
   */
  renderPackage(request: PackageTemplateRequest, call: TemplateCall = {}): Promise<string> {
    return this.#pool.run({ kind: 'render', ...request }, call)
  }

  /**
   * Does what `inspectPackage` of the engine does.
   * @throws what renderPackage throws
   */
  async inspectPackage(name: string, text: string, call: TemplateCall = {}): Promise<TemplateNames> {
    const names: TemplateNames = JSON.parse(await this.#pool.run({ kind: 'inspect', name, text }, call))
    return names
  }

  /**
   * Renders texts with the same values, on one thread. `name` stands for them when they take too long.
   * @throws what `renderTexts` and renderPackage throw
   */
  async renderTexts(name: string, request: TextsRequest, call: TemplateCall = {}): Promise<string[]> {
    const texts: string[] = JSON.parse(await this.#pool.run({ kind: 'texts', name, ...request }, call))
    return texts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }
}

let shared: TemplateWorkers | undefined

/** The threads of this process; they start when the first template comes. */
export function templateWorkers(): TemplateWorkers {
  shared ??= new TemplateWorkers()
  return shared
}
