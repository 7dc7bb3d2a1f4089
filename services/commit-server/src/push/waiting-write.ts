import type { CommitRef } from '@wadi/git/commit/fast-import.ts'
import type { RefUpdate } from '@wadi/git/commit/push.ts'
import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { BranchState } from '../branch/branch-state.ts'
import type { BranchWrite, PlannedPush } from './branch-write.ts'

const maxConflicts = 12

/** The callbacks that report the end of a write to its caller. */
interface Ending {
  done: (state: BranchState) => void
  failed: (error: unknown) => void
}

/** A write that waits for its push, with what is known and planned for it. */
export class WaitingWrite {
  readonly write: BranchWrite<unknown>
  readonly signal: AbortSignal
  /** The number of its pushes that lost a race. */
  conflicts = 0
  /** The plan that is made while others are pushed. */
  preparing: Promise<void> = Promise.resolve()
  readonly #ending: Ending
  #state: BranchState | undefined
  #planned: PlannedPush | undefined
  #hasEnded = false

  constructor(write: BranchWrite<unknown>, signal: AbortSignal, ending: Ending) {
    this.write = write
    this.signal = signal
    this.#ending = ending
  }

  /** The state that it was planned on last; undefined before it is planned. */
  get state(): BranchState | undefined {
    return this.#state
  }

  /** The push; undefined before it is planned and after the write has ended. */
  get planned(): PlannedPush | undefined {
    return this.#planned
  }

  /** True while somebody still waits for its end. */
  get isAwaited(): boolean {
    return !this.#hasEnded && !this.signal.aborted
  }

  /** True while there is something to push and somebody waits for it. */
  get isOpen(): boolean {
    return this.#planned !== undefined && this.isAwaited
  }

  /** Plans onto a state, unless it is planned for an equal one; a plan that fails or finds nothing to do ends the write. */
  async planOn(state: BranchState): Promise<void> {
    const isSame = isSameBase(this.#state, state)
    this.#state = state
    if (isSame && this.#planned !== undefined) return
    try {
      this.#planned = await this.write.plan(state)
    } catch (error) {
      return this.fail(error)
    }
    if (this.#planned === undefined) this.#done(state)
  }

  /** The branches that the plan moves; its commits must have been built. */
  updates(): RefUpdate[] {
    if (!this.#state || !this.#planned) return []
    const { head, newSyncHead } = this.#planned
    const updates: RefUpdate[] = []
    if (head !== this.#state.head) updates.push(update(this.write.branch, head, this.#state.head))
    if (newSyncHead !== undefined) updates.push(update(this.write.syncBranch, newSyncHead, undefined))
    return updates
  }

  /** Takes the names of the commits that were built in the place of their numbers. */
  built(shas: readonly string[]): void {
    if (!this.#planned) return
    const named = (commit: CommitRef): CommitRef =>
      typeof commit === 'number' ? (shas[commit] ?? commit) : commit
    const { head, newSyncHead } = this.#planned
    this.#planned = {
      ...this.#planned,
      commits: [],
      head: named(head),
      newSyncHead: newSyncHead === undefined ? undefined : named(newSyncHead),
    }
  }

  /** Ends the write: branch and note are on the remote. */
  landed(notes: string): void {
    if (!this.#state || !this.#planned) return
    const { head, newSyncHead, note, drySha } = this.#planned
    const syncHead = newSyncHead === undefined ? this.#state.syncHead : String(newSyncHead)
    this.#done({ head: String(head), syncHead, notes, note, drySha })
  }

  /**
   * Counts a lost race. What was planned holds as long as the branch itself has not moved.
   * @param refs the known refs of the remote: a branch may have landed without its note
   * @returns true to try again
   */
  lostRace(refs: ReadonlyMap<string, string> | undefined): boolean {
    const { branch } = this.write
    for (const { ref, source } of this.updates()) {
      if (ref === `refs/heads/${branch}` && refs?.get(ref) === source) this.write.landedWithoutNote(source)
    }
    this.conflicts++
    if (this.conflicts < maxConflicts) return true
    this.fail(
      new UnavailableError(
        `branch ${branch} or its notes moved ${maxConflicts} times while this commit was pushed; it is tried again`,
      ),
    )
    return false
  }

  /** Ends the write with an error. */
  fail(error: unknown): void {
    this.#hasEnded = true
    this.#ending.failed(error)
  }

  #done(state: BranchState): void {
    this.#hasEnded = true
    this.#ending.done(state)
  }
}

function update(branch: string, source: CommitRef, expected: string | undefined): RefUpdate {
  return { source: String(source), ref: `refs/heads/${branch}`, expected }
}

/** Returns true if a plan for one state is valid for another: the notes may have moved for other branches. */
function isSameBase(a: BranchState | undefined, b: BranchState): boolean {
  return (
    a !== undefined &&
    a.head === b.head &&
    a.syncHead === b.syncHead &&
    a.note === b.note &&
    a.noteProblem === b.noteProblem
  )
}
