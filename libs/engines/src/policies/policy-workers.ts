import { availableParallelism } from 'node:os'
import { isMainThread } from 'node:worker_threads'
import { goPoolProgram } from '../threads/go-pool-program.ts'
import type { WorkerCall, WorkerPoolOptions } from '../threads/pool-options.ts'
import { askPool } from '../threads/pool-questions.ts'
import { ThreadRoom } from '../threads/thread-room.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import type { PolicyJudgement, PolicyRequest } from './policies.ts'

/** Far more than many policies take for the objects of one request. */
const maxJudgeMilliseconds = 60_000

/** Most threads, as each needs about 85 MiB. */
const maxPolicyThreads = Math.max(1, Math.min(availableParallelism() - 1, 4))

/**
 * Threads that judge objects by policies; they start when the first objects come. Each keeps the policies that it compiled. Other pools do
 * not end them for their own: a start takes more than a second of a processor.
 */
export class PolicyWorkers implements AsyncDisposable {
  readonly #pool: WorkerPool<PolicyRequest>

  constructor(options: WorkerPoolOptions = {}) {
    const script = new URL('policy-worker.ts', import.meta.url)
    const program = goPoolProgram(script, 'policies')
    const limits = {
      timeoutMilliseconds: maxJudgeMilliseconds,
      threads: maxPolicyThreads,
      room: new ThreadRoom(maxPolicyThreads),
      ...options,
    }
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

let shared: PolicyWorkers | undefined

/**
 * Judges objects by policies, in threads that stay with the process. A thread of a pool asks the pool, whose program must answer with
 * `answerPolicyQuestion`.
 * @throws ResourceExhaustedError above 60 seconds or 512 MiB
 */
export async function judgeByPolicies(request: PolicyRequest): Promise<PolicyJudgement> {
  if (isMainThread) return (shared ??= new PolicyWorkers()).judge(request)
  const judgement: PolicyJudgement = JSON.parse(await askPool(JSON.stringify(request)))
  return judgement
}

/**
 * Answers what `judgeByPolicies` of a thread asks.
 * @throws what it throws
 */
export async function answerPolicyQuestion(
  workers: PolicyWorkers,
  question: string,
  signal: AbortSignal,
): Promise<string> {
  const request: PolicyRequest = JSON.parse(question)
  return JSON.stringify(await workers.judge(request, { signal }))
}
