import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { BranchState } from './branch-state.ts'

/**
 * What this process last knew of each branch, and one writer at a time per repository: all branches of a repository
 * share its notes, so writers would only take turns in failing.
 */
export class BranchStates {
  #known = new WeakMap<Mirror, Map<string, BranchState>>()
  /** The newest notes commit that this process pushed. */
  #pushed = new WeakMap<Mirror, { notes: string | undefined; at: number }>()
  #writers = new WeakMap<Mirror, Promise<unknown>>()

  known(mirror: Mirror, branch: string, syncBranch: string): BranchState | undefined {
    return this.#known.get(mirror)?.get(`${branch}\n${syncBranch}`)
  }

  /** Remembers what the remote said of a branch when it was asked at `askedAt`, in `performance.now()`. */
  observed(mirror: Mirror, branch: string, syncBranch: string, state: BranchState, askedAt: number): void {
    const pushed = this.#pushed.get(mirror)
    const isNewer = pushed === undefined || pushed.at < askedAt
    this.#remember(mirror, branch, syncBranch, isNewer ? state : { ...state, notes: pushed.notes })
  }

  /** Remembers the state of a branch after a push; its notes commit applies to every branch of the repository. */
  written(mirror: Mirror, branch: string, syncBranch: string, state: BranchState): void {
    this.#pushed.set(mirror, { notes: state.notes, at: performance.now() })
    this.#remember(mirror, branch, syncBranch, state)
  }

  /** Runs a task after the earlier ones of the repository have ended. */
  async exclusive<T>(mirror: Mirror, task: () => Promise<T>): Promise<T> {
    const before = this.#writers.get(mirror) ?? Promise.resolve()
    const run = before.then(task, task)
    this.#writers.set(mirror, run)
    return run
  }

  #remember(mirror: Mirror, branch: string, syncBranch: string, state: BranchState): void {
    let states = this.#known.get(mirror)
    if (!states) this.#known.set(mirror, (states = new Map()))
    states.set(`${branch}\n${syncBranch}`, state)
    for (const [key, other] of states) states.set(key, { ...other, notes: state.notes })
  }
}
