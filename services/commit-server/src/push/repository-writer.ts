import { setTimeout as delay } from 'node:timers/promises'
import { Flight } from '@wadi/concurrency/flight.ts'
import { untilAborted } from '@wadi/concurrency/until-aborted.ts'
import type { TreeCache } from '@wadi/git/objects/commit-tree.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { notesRef } from '@wadi/hydration/hydrated-files.ts'
import { type BranchState, fetchBranchState, isStateAt } from '../branch/branch-state.ts'
import { KnownRefs } from '../branch/known-refs.ts'
import type { BranchWrite } from './branch-write.ts'
import { pushGroup, type PushedRepository } from './push-group.ts'
import { WaitingWrite } from './waiting-write.ts'

/** The parts of the writer that plans use. */
export type WrittenRepository = Pick<RepositoryWriter, 'mirror' | 'trees'>

/** The writes of branches that one dry commit feeds come at once; the first waits this long for the others. */
const gatherMs = 5

/** The longest that a push waits for a commit that is being sent. */
const maxPatienceMs = 250

/** The most branches of one push. */
const maxGroup = 100

/** A write that lost more races than this is pushed alone, so that a ref that can never be moved holds no other. */
const maxSharedConflicts = 3

/**
 * The one writer of a repository in this process: all its branches share the commit of the notes, so writers would only take
 * turns in failing. Writes that come while a push is under way are planned meanwhile and pushed together as the next one.
 */
export class RepositoryWriter {
  readonly mirror: Mirror
  readonly trees: TreeCache
  readonly known = new KnownRefs()
  readonly #repository: PushedRepository
  #waiting: WaitingWrite[] = []
  #isWriting = false
  #coming = 0
  #noneComes = Promise.withResolvers<void>()
  #lastPushMs = 0

  constructor(mirror: Mirror, trees: TreeCache) {
    this.mirror = mirror
    this.trees = trees
    this.#repository = { mirror, trees, known: this.known, notes: undefined, isAtomic: true }
  }

  /**
   * Pushes a branch and its note and returns what the write makes of it. A caller who goes away leaves the others alone; when its
   * push is under way already, it may land all the same.
   * @throws the error of the plan; UnavailableError when the branch moves faster than pushes succeed, FailedPreconditionError
   * for a protected branch
   */
  async write<Outcome>(write: BranchWrite<Outcome>, signal: AbortSignal): Promise<Outcome> {
    const outcome = Promise.withResolvers<Outcome>()
    const waiting = new WaitingWrite(write, signal, {
      done: (state) => outcome.resolve(write.outcome(state)),
      failed: outcome.reject,
    })
    waiting.preparing = this.#prepare(waiting)
    this.#waiting.push(waiting)
    if (!this.#isWriting) void this.#writeAll()
    return untilAborted(outcome.promise, signal, `the push of branch ${write.branch}`)
  }

  /**
   * Announces a write whose content is being sent. The next push waits for it, but not longer than the last push took: then a push
   * more would have been as fast. Dispose what is returned when the write has begun or will not come.
   */
  expect(): Disposable {
    this.#coming += 1
    let isComing = true
    return {
      [Symbol.dispose]: () => {
        if (!isComing) return
        isComing = false
        this.#coming -= 1
        if (this.#coming > 0) return
        this.#noneComes.resolve()
        this.#noneComes = Promise.withResolvers()
      },
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    await delay(gatherMs)
    await this.#arrivals()
    for (let group = this.#take(); group.length > 0; group = this.#take()) {
      const flight = new Flight((signal) => this.#writeGroup(group, signal))
      const joined = group.map(({ signal }) => flight.join(signal, () => undefined))
      try {
        await flight.result
      } catch (error) {
        for (const write of group) write.fail(error)
      }
      for (const each of joined) each[Symbol.dispose]()
      await this.#pause()
      if (this.#waiting.length > 0) await this.#arrivals()
    }
    this.#isWriting = false
  }

  /** The writes of the next push, each of another branch. Those of another key wait, so that a key that fails holds up only its own. */
  #take(): WaitingWrite[] {
    this.#waiting = this.#waiting.filter(({ isAwaited }) => isAwaited)
    const [first] = this.#waiting
    if (first === undefined) return []
    const group = new Map([[first.write.branch, first]])
    for (const waiting of first.conflicts > maxSharedConflicts ? [] : this.#waiting) {
      if (waiting.conflicts > maxSharedConflicts || group.size === maxGroup) continue
      if (waiting.write.signer !== first.write.signer) continue
      if (!group.has(waiting.write.branch)) group.set(waiting.write.branch, waiting)
    }
    const taken = new Set(group.values())
    this.#waiting = this.#waiting.filter((waiting) => !taken.has(waiting))
    return [...taken]
  }

  /** Plans, pushes, and lets those wait again that lost a race. */
  async #writeGroup(group: readonly WaitingWrite[], signal: AbortSignal): Promise<void> {
    await Promise.all(group.map(({ preparing }) => preparing))
    await this.#plan(group, signal)
    const { later = [], now = [] } = Object.groupBy(
      group.filter(({ isOpen }) => isOpen),
      createsSameSyncBranch(),
    )
    this.#waiting.push(...later)
    const started = performance.now()
    await pushGroup(this.#repository, now, signal)
    if (now.length > 0) this.#lastPushMs = performance.now() - started
    const { refs } = this.known
    this.#waiting.push(...now.filter((waiting) => waiting.isOpen && waiting.lostRace(refs)))
  }

  /** Plans a write while others are pushed, if it begins at what is known. */
  async #prepare(waiting: WaitingWrite): Promise<void> {
    const { refs } = this.known
    if (refs === undefined) return
    const state = await this.#stateOf(waiting, refs).catch(() => undefined)
    if (state !== undefined && waiting.write.isFrom(state)) await waiting.planOn(state)
  }

  /** Plans writes on one view of the remote: what is known where that is what all of them begin at, else what it says now. */
  async #plan(group: readonly WaitingWrite[], signal: AbortSignal): Promise<void> {
    let { refs } = this.known
    const isBehind = refs === undefined || !(await this.#areFrom(group, refs))
    if (refs === undefined || isBehind) {
      const askedAt = performance.now()
      refs = (await this.mirror.listRemote(signal)).refs
      this.known.listed(refs, askedAt)
    }
    this.#repository.notes = refs.get(notesRef)
    const view = refs
    const planOne = async (waiting: WaitingWrite): Promise<void> => {
      try {
        await waiting.planOn(await this.#stateOf(waiting, view))
      } catch (error) {
        waiting.fail(error)
      }
    }
    await Promise.all(group.map(planOne))
  }

  async #areFrom(group: readonly WaitingWrite[], refs: ReadonlyMap<string, string>): Promise<boolean> {
    if (group.some(({ conflicts }) => conflicts > 0)) return false
    const isFrom = async (waiting: WaitingWrite): Promise<boolean> => {
      const state = await this.#stateOf(waiting, refs).catch(() => undefined)
      return state !== undefined && waiting.write.isFrom(state)
    }
    return (await Promise.all(group.map(isFrom))).every(Boolean)
  }

  async #stateOf(
    { write, state, signal }: WaitingWrite,
    refs: ReadonlyMap<string, string>,
  ): Promise<BranchState> {
    if (state !== undefined && isStateAt(state, write, refs)) return state
    return fetchBranchState(this.mirror, this.trees, write, refs, signal)
  }

  /** Waits for the writes that are announced. */
  async #arrivals(): Promise<void> {
    const patience = Math.min(this.#lastPushMs, maxPatienceMs)
    if (this.#coming === 0 || patience < 1) return
    const over = new AbortController()
    const { signal } = over
    await Promise.race([
      this.#noneComes.promise,
      delay(patience, undefined, { signal }).catch(() => undefined),
    ])
    over.abort()
  }

  /** Other processes that push to the same refs get their turn. */
  async #pause(): Promise<void> {
    const conflicts = Math.min(...this.#waiting.map((waiting) => waiting.conflicts))
    if (Number.isFinite(conflicts) && conflicts > 0) await delay(Math.random() * 40 * conflicts)
  }
}

/** Of the writes that create one sync branch, the first goes now; the others find it there. */
function createsSameSyncBranch(): (waiting: WaitingWrite) => 'now' | 'later' {
  const created = new Set<string>()
  return ({ write, planned }) => {
    if (planned?.newSyncHead === undefined) return 'now'
    if (created.has(write.syncBranch)) return 'later'
    created.add(write.syncBranch)
    return 'now'
  }
}
