import type { JobState, QueueDepth } from '@wadi/queue/branch-queue.ts'

/** A job that a worker was given. */
export interface TakenJob {
  readonly key: string
  readonly token: number
  readonly failedRuns: number
  /** Milliseconds from its enqueue until it was taken. */
  readonly waitedMs: number
}

interface Job {
  readonly key: string
  state: JobState
  since: number
  failedRuns: number
  /** True if it was enqueued while it ran. */
  isFollowed: boolean
  /** The worker that holds it, and until when if it gives no sign of life. */
  token: number
  heldUntil: number
  /** The time of the retry. */
  dueAt: number
}

/** All that it would lose. */
interface Content {
  readonly at: number
  readonly jobs: readonly Job[]
  readonly remembered: ReadonlyMap<string, Buffer>
  readonly claims: ReadonlyMap<string, number>
}

/** The time from one write until it is at the servers that can take over, at most, in milliseconds. */
const copiedAfterMs = 1_000
const keptEveryMs = 100

/** The part of Redis in which BullMQ has the jobs, with what BullMQ promises of them. */
export class QueueServer {
  readonly #now: () => number
  /** In the order in which they wait. */
  readonly #jobs = new Map<string, Job>()
  readonly #remembered = new Map<string, Buffer>()
  readonly #claims = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #tokens = 0
  /** Its content before some writes of the last second. */
  #past: Content[] = []

  /** @param now returns its clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Calls back whenever a job waits, until disposal. */
  listen(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  enqueue(key: string): void {
    this.#keep()
    const job = this.#jobs.get(key)
    if (job?.state === 'active') job.isFollowed = true
    else if (job?.state !== 'waiting') this.#wait(key, 0)
  }

  /** Gives a job to a worker; undefined while none waits. */
  take(holdMs: number): TakenJob | undefined {
    this.#keep()
    this.#promote()
    const job = this.#jobs.values().find(({ state }) => state === 'waiting')
    if (!job) return undefined
    const { key, failedRuns, since } = job
    const token = ++this.#tokens
    Object.assign(job, { state: 'active', token, heldUntil: this.#now() + holdMs, isFollowed: false })
    return { key, token, failedRuns, waitedMs: this.#now() - since }
  }

  /** Prolongs the hold of a worker on a job; false if it has it no more. */
  renew({ key, token }: TakenJob, holdMs: number): boolean {
    const job = this.#held(key, token)
    if (job) job.heldUntil = this.#now() + holdMs
    return job !== undefined
  }

  /** Ends a job. @param retryMs the pause before it runs again; undefined if it does not */
  end({ key, token }: TakenJob, retryMs?: number): void {
    this.#keep()
    const job = this.#held(key, token)
    if (!job) return
    if (job.isFollowed) this.#wait(key, 0)
    else if (retryMs === undefined) this.#jobs.delete(key)
    else
      Object.assign(job, { state: 'delayed', failedRuns: job.failedRuns + 1, dueAt: this.#now() + retryMs })
  }

  /** Gives a job back. */
  release({ key, token }: TakenJob): void {
    const job = this.#held(key, token)
    if (job) this.#wait(key, job.failedRuns)
  }

  /** Takes the jobs away from workers that gave no sign of life. */
  checkStalled(): void {
    this.#promote()
    this.#waitIf((job) => job.state === 'active' && job.heldUntil < this.#now())
  }

  /** The milliseconds until the next retry; undefined without one. */
  nextRetryMs(): number | undefined {
    const times = this.#jobs
      .values()
      .filter(({ state }) => state === 'delayed')
      .map(({ dueAt }) => dueAt)
    const next = Math.min(...times)
    return Number.isFinite(next) ? Math.max(0, next - this.#now()) : undefined
  }

  get jobCount(): number {
    return this.#jobs.size
  }

  depth(): QueueDepth {
    const depth = { waiting: 0, active: 0, delayed: 0 }
    for (const { state } of this.#jobs.values()) depth[state]++
    return depth
  }

  states(): ReadonlyMap<string, JobState> {
    return new Map(this.#jobs.values().map(({ key, state }) => [key, state]))
  }

  /** Claims a name; returns 0, or the milliseconds until it can be claimed. */
  claim(name: string, milliseconds: number): number {
    this.#keep()
    const until = this.#claims.get(name) ?? 0
    if (until > this.#now()) return Math.max(1, Math.ceil(until - this.#now()))
    this.#claims.set(name, this.#now() + milliseconds)
    return 0
  }

  unclaim(name: string): void {
    this.#claims.delete(name)
  }

  recall(name: string): Buffer | undefined {
    return this.#remembered.get(name)
  }

  remember(name: string, value: Buffer): void {
    this.#keep()
    this.#remembered.set(name, value)
  }

  /** Loses everything. */
  flush(): void {
    this.#jobs.clear()
    this.#remembered.clear()
    this.#claims.clear()
  }

  /** Loses the writes of the last second. */
  failOver(): void {
    const then = this.#past.find(({ at }) => at > this.#now() - copiedAfterMs)
    this.#past = []
    if (!then) return
    this.flush()
    for (const job of then.jobs) this.#jobs.set(job.key, { ...job })
    for (const [name, value] of then.remembered) this.#remembered.set(name, value)
    for (const [name, until] of then.claims) this.#claims.set(name, until)
    // Whoever waits for jobs asks again on the new connection.
    for (const listener of this.#listeners) listener()
  }

  /** Takes their jobs away from all workers, as from workers that gave no sign of life. */
  loseLocks(): void {
    this.#waitIf(({ state }) => state === 'active')
  }

  /** Keeps its content before a write, if it is a while since it did. */
  #keep(): void {
    const at = this.#now()
    const last = this.#past.at(-1)
    if (last && at - last.at < keptEveryMs) return
    const jobs = this.#jobs
      .values()
      .map((job) => ({ ...job }))
      .toArray()
    this.#past.push({ at, jobs, remembered: new Map(this.#remembered), claims: new Map(this.#claims) })
    while ((this.#past[0]?.at ?? Infinity) <= at - copiedAfterMs) this.#past.shift()
  }

  #wait(key: string, failedRuns: number): void {
    this.#jobs.delete(key)
    const idle = { isFollowed: false, token: 0, heldUntil: 0, dueAt: 0 }
    this.#jobs.set(key, { key, state: 'waiting', since: this.#now(), failedRuns, ...idle })
    for (const listener of this.#listeners) listener()
  }

  #promote(): void {
    this.#waitIf((job) => job.state === 'delayed' && job.dueAt <= this.#now())
  }

  #waitIf(waits: (job: Job) => boolean): void {
    for (const { key, failedRuns } of this.#jobs.values().filter(waits).toArray()) this.#wait(key, failedRuns)
  }

  #held(key: string, token: number): Job | undefined {
    const job = this.#jobs.get(key)
    return job?.state === 'active' && job.token === token ? job : undefined
  }
}
