import type { ChartDirectory, ChartJob, ChartMessage } from './chart-job.ts'
import type { HelmEngine } from '@wadi/gotemplate/engine-versions.ts'
import { goPoolProgram } from '../threads/go-pool-program.ts'
import type { WorkerCall, WorkerPoolOptions } from '../threads/pool-options.ts'
import { WorkerPool } from '../threads/worker-pool.ts'

/** The result of a render: the output of `helm template`, or the reason why only helm itself can render the chart. */
export type ChartOutput = { readonly manifests: string } | { readonly unsupported: string }

/** Reads the directories of a chart that have these digests. */
export type ReadDirectories = (digests: readonly string[]) => Promise<readonly ChartDirectory[]>

/** Longest time for one render, its charts loaded and parsed. */
const maxRenderMilliseconds = 15_000

/**
 * Threads that render charts with Helm's own packages, as `helm template` does but without its process, files and network. Each
 * keeps the charts that it has loaded and their parsed templates, up to a size.
 */
export class ChartWorkers implements AsyncDisposable {
  readonly #pool: WorkerPool<ChartMessage>

  /** @param version that of Helm */
  constructor(version: HelmEngine, options: WorkerPoolOptions = {}) {
    const script = new URL('chart-worker.ts', import.meta.url)
    const program = goPoolProgram(script, `helm-${version}`)
    const limits = { timeoutMilliseconds: maxRenderMilliseconds, ...options }
    this.#pool = new WorkerPool(program, () => 'the chart', limits)
  }

  /** True if there is a thread, even one that is still starting. */
  get isStarted(): boolean {
    return this.#pool.isStarted
  }

  /** True if a thread has its program loaded. */
  get isReady(): boolean {
    return this.#pool.isReady
  }

  /** Notes a process of helm that renders a chart as well, until the returned value is disposed. */
  addTool(): Disposable {
    return this.#pool.addTool()
  }

  /**
   * Renders a chart.
   * @param read returns those of the job's directories that have these digests, for a thread that does not have them
   * @throws InvalidInputError with Helm's reason, ResourceExhaustedError above 15 seconds or 512 MiB, and what `read` throws
   */
  async render(
    job: ChartJob,
    read: ReadDirectories,
    call: Pick<WorkerCall, 'signal'> = {},
  ): Promise<ChartOutput> {
    const affinity = [job.chart, ...job.dependencies].join()
    const run = async (digests: readonly string[]): Promise<string> => {
      const load = digests.length === 0 ? [] : await read(digests)
      return await this.#pool.run({ ...job, load }, { ...call, affinity })
    }
    // Another thread than before may take the job, and have less.
    const first = await run(this.#pool.isKnown(affinity) ? [] : [job.chart])
    const second = isMissing(first) ? await run(missingOf(first)) : first
    const output = isMissing(second) ? await run([job.chart, ...job.dependencies]) : second
    if (isMissing(output)) return { unsupported: 'does not keep charts as large as these' }
    const end = output.indexOf('\n')
    const text = output.slice(end + 1)
    return output.slice(0, end) === 'manifests' ? { manifests: text } : { unsupported: text }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }
}

const missing = 'missing\n'

function isMissing(output: string): boolean {
  return output.startsWith(missing)
}

function missingOf(output: string): string[] {
  return output.slice(missing.length).split('\n')
}

const shared = new Map<HelmEngine, ChartWorkers>()

/** The threads of this process for a version of Helm; they start when its first chart comes. */
export function chartWorkers(version: HelmEngine): ChartWorkers {
  return shared.getOrInsertComputed(version, () => new ChartWorkers(version))
}
