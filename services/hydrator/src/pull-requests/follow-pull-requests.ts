import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { mapUnordered } from '@wadi/concurrency/map-unordered.ts'
import { branchKey } from '@wadi/hydration/branch-key.ts'
import type { PullRequestRecord } from '@wadi/hydration/hydrated-branch.ts'
import type { ChangePullRequestRequest } from '@wadi/protocol/gen/wadi/pull_requests/v1/pull_requests_pb.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { type OperatorSettings, readOperatorSettings } from '../operator-settings.ts'
import { Wake } from '../watch/wake.ts'
import { keepPullRequest } from './keep-pull-request.ts'
import type { PullRequestContext } from './put-pull-request.ts'

/** Branches whose pull requests are kept at a time, beside the queue: a forge that hangs keeps no branch from being hydrated. */
const branchesAtOnce = 4

/** Time limit for one branch; the next poll tries it again. */
const maxMilliseconds = 120_000

/** Keeps pull requests: of a branch after each of its runs, and of all branches once per interval and when somebody wishes for it. */
export class PullRequestKeeper implements Disposable {
  readonly #changed = new Set<string>()
  #isAllWanted = false
  readonly #wake = new Wake()
  readonly #lock = createKeyedLock()

  /** Requests a poll of the pull request of a branch, shortly after this. */
  changed(key: string): void {
    this.#changed.add(key)
    this.#wake.callAtOnce()
  }

  /** Requests a poll of the pull requests of all branches, shortly after this: settings or credentials may have changed. */
  lookAtAll(): void {
    this.#isAllWanted = true
    this.#wake.call()
  }

  /** Changes the pull request of a branch for somebody, as `changePullRequest` does, while nothing else is done to it. */
  async change(
    context: PullRequestContext,
    request: ChangePullRequestRequest,
    signal: AbortSignal,
  ): Promise<PullRequestRecord> {
    const { changePullRequest } = await import('./change-pull-request.ts')
    const key = branchKey(request.repoUrl, request.branch)
    return this.#lock.run(key, () => changePullRequest(context, { ...request, key }, signal))
  }

  /** Polls until the signal ends. Of the hydrators that share a memory, one polls all branches in each interval. */
  async follow(
    context: PullRequestContext,
    { intervalMs, memory }: { intervalMs: number; memory: SharedMemory },
    signal: AbortSignal,
  ): Promise<void> {
    let nextPass = 0
    while (!signal.aborted) {
      const keys = new Set(this.#changed)
      this.#changed.clear()
      let isForAll = this.#isAllWanted
      this.#isAllWanted = false
      if (Date.now() >= nextPass) {
        const claimedByOtherMs = await memory.claim('pull-requests', intervalMs)
        nextPass = Date.now() + (claimedByOtherMs || intervalMs)
        isForAll ||= claimedByOtherMs === 0
      }
      if (isForAll) for (const key of context.index.branchKeys()) keys.add(key)
      const resumeAt = await this.#keepAll(context, [...keys], signal)
      nextPass = Math.min(nextPass, resumeAt)
      await this.#wake.wait(Math.max(0, nextPass - Date.now()), signal)
    }
  }

  [Symbol.dispose](): void {
    this.#wake[Symbol.dispose]()
  }

  /** Returns when the first rate limit of those that were met ends; `Infinity` for none. */
  async #keepAll(context: PullRequestContext, all: readonly string[], signal: AbortSignal): Promise<number> {
    // Of most branches Applications are deployed directly, and there is nothing to read of them.
    const keys = all.filter((key) => context.index.members(key)[0]?.spec.hydrateTo !== undefined)
    if (keys.length === 0) return Infinity
    try {
      const { store, status, clusterPolicies } = context
      const operator = await readOperatorSettings(store, status.yieldsToArgoCd, clusterPolicies)
      if (operator.error !== '') return Infinity
      let resumeAt = Infinity
      const keepOne = (key: string) => this.#lock.run(key, () => keepWithin(context, key, operator, signal))
      for await (const at of mapUnordered(keys, branchesAtOnce, signal, keepOne)) {
        resumeAt = Math.min(resumeAt, at)
      }
      return resumeAt
    } catch (error) {
      if (!signal.aborted) context.events.pullRequestFailed(error)
      return Infinity
    }
  }
}

/** One branch that cannot be kept is no reason to leave the others. */
async function keepWithin(
  context: PullRequestContext,
  key: string,
  operator: OperatorSettings,
  signal: AbortSignal,
): Promise<number> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(maxMilliseconds)])
    return (await keepPullRequest(context, key, operator, within)) ?? Infinity
  } catch (error) {
    if (!signal.aborted) context.events.pullRequestFailed(error)
    return Infinity
  }
}
