import { availableParallelism } from 'node:os'
import { kustomizationName, type KustomizeRequest } from './kustomize.ts'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

/** Far more than builds of the largest bases take. */
const maxBuildMilliseconds = 20_000

/** Threads that build kustomizations, each with an engine of its own, which keeps the schema of the API between builds. */
export type KustomizeWorkers = WorkerPool<KustomizeRequest>

/**
 * Makes threads that build kustomizations as `build` of the engine does, in 20 seconds at most by default.
 * @internal
 */
export function openKustomizeWorkers(options: WorkerPoolOptions = {}): KustomizeWorkers {
  const script = new URL('kustomize-worker.ts', import.meta.url)
  const program = { script, name: 'kustomize' } as const
  const limits = { timeoutMilliseconds: maxBuildMilliseconds, ...options }
  return new WorkerPool(program, ({ path }: KustomizeRequest) => kustomizationName(path), limits)
}

let shared: KustomizeWorkers | undefined

/** Most threads of this process. One core is left to other work, as each needs 70 MiB. */
const maxKustomizeThreads = Math.max(1, Math.min(availableParallelism() - 1, 4))

/** The threads of this process; they start when the first kustomization comes. */
export function kustomizeWorkers(): KustomizeWorkers {
  shared ??= openKustomizeWorkers({ threads: maxKustomizeThreads })
  return shared
}
