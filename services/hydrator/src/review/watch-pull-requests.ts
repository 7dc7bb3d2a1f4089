import { createHash } from 'node:crypto'
import { DomainError, RateLimitError } from '@wadi/errors/domain-error.ts'
import { repositoryIdentity } from '@wadi/git/remote/repository-identity.ts'
import type { SharedMemory } from '@wadi/queue/shared-memory.ts'
import { Wake } from '../watch/wake.ts'
import type { ReviewedPullRequest } from './review-report.ts'
import type { ReviewContext } from './review-pull-request.ts'
import { ReviewPool } from './review-pool.ts'
import { type ReviewedRepository, reviewedRepositories } from './reviewed-repositories.ts'

/** Pause of a review after an error that a retry does not fix, in ms: somebody may change a permission on the forge. */
const restMs = 10 * 60_000
/** The longest pause for one rate limit, in ms: a forge may name any time. */
const maxPauseMs = 60 * 60_000
/** After this many ms another hydrator goes on with the review of one that is gone. */
const heldMs = 60_000

/**
 * Lists the open pull requests of reviewed repositories at the start, once per interval and when one is hinted at, and has those
 * reviewed that are not yet. Of the hydrators that share a memory, one lists in each interval, and one reviews a head. Disposal gives up reviews under way; the
 * next start finds them.
 */
export class PullRequestWatch implements AsyncDisposable {
  readonly #context: ReviewContext
  readonly #memory: SharedMemory
  readonly #pool = new ReviewPool()
  readonly #wake = new Wake()
  readonly #hinted = new Set<string>()
  #isAllHinted = false
  /** From when the forge of a repository answers again, by key. */
  readonly #paused = new Map<string, { until: number; timer: NodeJS.Timeout }>()
  /** The repositories of which it was said that Wadi cannot speak with their forge. */
  readonly #withoutForge = new Set<string>()
  readonly #stop = new AbortController()
  readonly #watching: Promise<void>

  constructor(context: ReviewContext, { intervalMs, memory }: { intervalMs: number; memory: SharedMemory }) {
    this.#context = context
    this.#memory = memory
    this.#watching = this.#watch(intervalMs)
  }

  /** Looks at the pull requests of a repository soon, for example because a webhook names it. */
  hint(repoUrl: string): void {
    this.#hinted.add(repositoryIdentity(repoUrl))
    this.#wake.callAtOnce()
  }

  /** Looks at the pull requests of all repositories soon, also at those that could not be reviewed before: credentials may have changed. */
  lookAtAll(): void {
    this.#pool.endRests()
    this.#isAllHinted = true
    this.#wake.call()
  }

  async #watch(intervalMs: number): Promise<void> {
    const { signal } = this.#stop
    let nextMs = 0
    while (!signal.aborted) {
      const isDue = performance.now() >= nextMs
      const claimedByOtherMs = isDue ? await this.#memory.claim('reviews', intervalMs) : 0
      if (isDue) nextMs = performance.now() + (claimedByOtherMs || intervalMs)
      const isForAll = this.#isAllHinted || (isDue && claimedByOtherMs === 0)
      this.#isAllHinted = false
      const hinted = new Set(this.#hinted)
      this.#hinted.clear()
      if (isForAll || hinted.size > 0)
        await this.#look(({ repoUrl }) => isForAll || hinted.has(repositoryIdentity(repoUrl)))
      await this.#wake.wait(Math.max(nextMs - performance.now(), 1), signal)
    }
  }

  async #look(isWanted: (repository: ReviewedRepository) => boolean): Promise<void> {
    const { events } = this.#context
    try {
      const { repositories, error } = await reviewedRepositories(this.#context)
      if (error !== '') events.reviewSettingsInvalid(error)
      for (const repository of repositories) {
        if (isWanted(repository) && !this.#paused.has(repository.key)) await this.#list(repository)
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) events.pollFailed(error)
    }
  }

  async #list(repository: ReviewedRepository): Promise<void> {
    const { forges, events } = this.#context
    const { key, repoUrl, project, settings, others } = repository
    try {
      const answer = await forges.listPullRequests({ repoUrl, project }, { signal: this.#stop.signal })
      const isPrivate = answer.visibility === 'private'
      const open = new Set<string>()
      for (const pull of answer.pullRequests) {
        const { number, headSha, baseBranch, isFork } = pull
        if (headSha === '') continue
        const review = { repository, pull, isPrivate, maxCommentLength: answer.maxCommentLength }
        const job = `${key}\n${number}`
        open.add(job)
        const version = JSON.stringify([headSha, baseBranch, isFork, settings, isPrivate])
        this.#pool.submit(job, version, (signal) => this.#review(review, signal))
      }
      this.#pool.keepOnly(`${key}\n`, open)
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const isWithoutForge = error instanceof DomainError && error.code === 'no-forge'
      const [next, ...more] = others
      if (isWithoutForge && next) return this.#list({ ...repository, ...next, others: more })
      if (error instanceof RateLimitError) this.#pause(repository, error)
      else if (!isWithoutForge || !this.#withoutForge.has(key)) events.reviewFailed(repoUrl, '', error)
      if (isWithoutForge) this.#withoutForge.add(key)
      else this.#withoutForge.delete(key)
    }
  }

  /** Reviews a pull request; returns for how many ms nothing more is to be done for this version of it. */
  async #review(review: ReviewedPullRequest, signal: AbortSignal): Promise<number> {
    const { events } = this.#context
    const { repository, pull } = review
    try {
      const head = [repository.key, pull.number, pull.headSha, pull.baseBranch]
      const name = createHash('sha256').update(head.join('\n')).digest('base64url')
      await using held = await this.#memory.hold(`review:${name}`, heldMs)
      // Another hydrator reviews it; the next poll sees the outcome.
      if (!held) return 0
      const { reviewPullRequest } = await import('./review-pull-request.ts')
      const outcome = await reviewPullRequest(this.#context, review, signal)
      events.reviewed(repository.repoUrl, pull.number, outcome)
      if (outcome === 'stale') return 0
      return outcome === 'error' ? restMs : Infinity
    } catch (error) {
      if (signal.aborted) return 0
      if (error instanceof RateLimitError) {
        this.#pause(repository, error)
        return 0
      }
      events.reviewFailed(repository.repoUrl, pull.number, error)
      return error instanceof DomainError && error.retryable ? 0 : restMs
    }
  }

  /** Leaves the forge of a repository alone until it answers again. */
  #pause({ key, repoUrl }: ReviewedRepository, { retryAt }: RateLimitError): void {
    const pauseMs = Math.min(Math.max(retryAt - Date.now(), 1_000), maxPauseMs)
    const until = Date.now() + pauseMs
    const known = this.#paused.get(key)
    if (known && known.until >= until) return
    clearTimeout(known?.timer)
    const timer = setTimeout(() => {
      this.#paused.delete(key)
      this.hint(repoUrl)
    }, pauseMs)
    this.#paused.set(key, { until, timer })
    this.#context.events.reviewsPaused(repoUrl, new Date(until))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    for (const { timer } of this.#paused.values()) clearTimeout(timer)
    await this.#pool[Symbol.asyncDispose]()
    await this.#watching
    this.#wake[Symbol.dispose]()
  }
}
