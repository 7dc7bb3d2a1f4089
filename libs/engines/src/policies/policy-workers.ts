import { availableParallelism } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { goPoolProgram } from '../threads/go-pool-program.ts'
import { type WorkerCall, WorkerPool, type WorkerPoolOptions } from '../threads/worker-pool.ts'
import type { PolicyJudgement, PolicyRequest } from './policies.ts'

/** Far more than many policies take for the objects of one request. */
const maxJudgeMilliseconds = 60_000

/** Threads that judge objects by policies. Each keeps the policies that it compiled. */
export class PolicyWorkers implements AsyncDisposable {
  readonly #pool: WorkerPool<PolicyRequest>

  constructor(options: WorkerPoolOptions = {}) {
    const script = new URL('policy-worker.ts', import.meta.url)
    const program = goPoolProgram(script, 'policies')
    const limits = { timeoutMilliseconds: maxJudgeMilliseconds, ...options }
    this.#pool = new WorkerPool(program, () => 'the evaluation of policies', limits)
  }

  /**
   * Judges objects by policies.
   * @throws ResourceExhaustedError above 60 seconds or 512 MiB
   */
  async judge(request: PolicyRequest, call: WorkerCall = {}): Promise<PolicyJudgement> {
    const judgement: PolicyJudgement = JSON.parse(await this.#pool.run(request, call))
    return judgement
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }
}

/** Most threads of this process, as each needs more than 100 MiB. A thread that asks for policies itself has one beside it. */
const maxPolicyThreads = isMainThread ? Math.max(1, Math.min(availableParallelism() - 1, 4)) : 1

let shared: PolicyWorkers | undefined

/** The threads of this process, or of a thread of its own; they start when the first objects come. */
export function policyWorkers(): PolicyWorkers {
  shared ??= new PolicyWorkers({ threads: maxPolicyThreads })
  return shared
}
