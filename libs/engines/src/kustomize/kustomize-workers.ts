import { availableParallelism } from 'node:os'
import type { KustomizeEngine } from '@wadi/gotemplate/engine-versions.ts'
import { kustomizationName, type KustomizeRequest } from './kustomize.ts'
import { goPoolProgram } from '../threads/go-pool-program.ts'
import type { WorkerPoolOptions } from '../threads/pool-options.ts'
import { WorkerPool } from '../threads/worker-pool.ts'

/** Far more than builds of the largest bases take. */
const maxBuildMilliseconds = 20_000

/** Threads that build kustomizations, each with an engine of its own, which keeps the schema of the API between builds. */
export type KustomizeWorkers = WorkerPool<KustomizeRequest>

/**
 * Makes threads that build kustomizations as `build` of the engine of a version does, in 20 seconds at most by default.
 * @internal
 */
export function openKustomizeWorkers(
  version: KustomizeEngine,
  options: WorkerPoolOptions = {},
): KustomizeWorkers {
  const script = new URL('kustomize-worker.ts', import.meta.url)
  const program = goPoolProgram(script, `kustomize-${version}`)
  const limits = { timeoutMilliseconds: maxBuildMilliseconds, ...options }
  return new WorkerPool(program, ({ path }: KustomizeRequest) => kustomizationName(path), limits)
}

const shared = new Map<KustomizeEngine, KustomizeWorkers>()

/** Most threads of this process. One core is left to other work, as each needs 70 MiB. */
const maxKustomizeThreads = Math.max(1, Math.min(availableParallelism() - 1, 4))

/** The threads of this process for a version; they start when its first kustomization comes. */
export function kustomizeWorkers(version: KustomizeEngine): KustomizeWorkers {
  return shared.getOrInsertComputed(version, () =>
    openKustomizeWorkers(version, { threads: maxKustomizeThreads }),
  )
}
