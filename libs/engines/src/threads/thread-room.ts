import { availableParallelism } from 'node:os'

/** A pool's threads, as the other pools of the process see them. */
export interface ThreadOwner {
  /** The tool whose work its threads do, of whatever version. */
  readonly tool: string
  /** Returns the number of threads, including those that are starting. */
  threads(): number
  /** Returns the number of threads without work. */
  idle(): number
  /** Since when the one has no work that is idle for longest, by `performance.now()`; undefined where none is idle. */
  idleSince(): number | undefined
  /** Ends that one. */
  endIdle(): void
  /** Begins work that waits for a thread, as far as there is room. */
  next(): void
}

/** A thread that works every now and then stays: starting another one takes about a second of a processor. */
const keptIdleMilliseconds = 500

/** The same for the only thread of one of several versions, which have renders by turns. */
const keptVersionMilliseconds = 5_000

/**
 * The room for threads of all pools of a process, and for the tools that run beside them. More than there are processors would make nothing
 * faster, and each holds tens of MiB, which Go never gives back.
 */
export class ThreadRoom {
  readonly #size: number
  readonly #owners = new Set<ThreadOwner>()
  #processes = 0
  #later: NodeJS.Timeout | undefined

  /** @param size default: the number of processors, 2 at least, so that a long job is not waited for */
  constructor(size = Math.max(2, availableParallelism())) {
    this.#size = size
  }

  /** True if pools other than this one have threads. */
  isShared(owner: ThreadOwner): boolean {
    return this.#owners.size > (this.#owners.has(owner) ? 1 : 0)
  }

  /**
   * Returns true if a pool may start a thread: its first one always, so that no pool waits for another one, and more
   * while there is room beside those that work or did a moment ago. Idle threads of others end, as far as they are then too many.
   */
  take(owner: ThreadOwner): boolean {
    const moment = performance.now() - keptIdleMilliseconds
    const working =
      this.#sum((each) => each.threads() - ((each.idleSince() ?? Infinity) < moment ? each.idle() : 0)) +
      this.#processes
    if (owner.threads() > 0 && working >= this.#size) return false
    this.#owners.add(owner)
    this.#endIdle(this.#size - 1)
    return true
  }

  /**
   * Notes a process that takes as much memory as a thread, which is over when the returned value is disposed. It does not wait; idle threads
   * end, as far as they are too many then.
   * @param owner keeps its threads while no other pool has any: they soon do the work of the process themselves
   */
  addProcess(owner?: ThreadOwner): Disposable {
    this.#processes++
    this.#endIdle(this.#size, owner === undefined || this.isShared(owner) ? undefined : owner)
    return {
      [Symbol.dispose]: () => {
        this.#processes--
        this.#wake()
      },
    }
  }

  /** Notes that a thread of a pool has become idle or has ended, for which another pool may have waited. */
  freed(owner: ThreadOwner): void {
    if (owner.threads() === 0) this.#owners.delete(owner)
    this.#wake(owner)
  }

  #wake(except?: ThreadOwner): void {
    for (const owner of this.#owners) if (owner !== except) owner.next()
  }

  /** Ends idle threads until `most` are there in all; those that only just became idle a moment later. */
  #endIdle(most: number, except?: ThreadOwner): void {
    while (this.#sum((owner) => owner.threads()) + this.#processes > most + this.#furtherVersions()) {
      const [first, until] = this.#firstToEnd(except)
      if (first === undefined || until === Infinity) return
      const rest = until - performance.now()
      if (rest > 0) {
        clearTimeout(this.#later)
        this.#later = setTimeout(() => this.#endIdle(this.#size), rest).unref()
        return
      }
      first.endIdle()
    }
  }

  /**
   * Returns the number of pools beyond the first of each tool, which have further versions of it. Each may keep a thread more: a repository
   * with several versions has renders of all by turns, for which threads would be started again and again.
   */
  #furtherVersions(): number {
    return this.#owners.size - new Set(this.#owners.values().map(({ tool }) => tool)).size
  }

  /** Returns the pool whose idle thread is kept for the shortest time, and until when; `Infinity` where none is idle. */
  #firstToEnd(except: ThreadOwner | undefined): readonly [ThreadOwner | undefined, number] {
    const kept = [...this.#owners]
      .filter((owner) => owner !== except)
      .map((owner) => [owner, (owner.idleSince() ?? Infinity) + this.#keptMilliseconds(owner)] as const)
    return kept.toSorted(([, one], [, other]) => one - other)[0] ?? [undefined, Infinity]
  }

  #keptMilliseconds(owner: ThreadOwner): number {
    const isVersion = this.#owners.values().some((other) => other !== owner && other.tool === owner.tool)
    return isVersion && owner.threads() === 1 ? keptVersionMilliseconds : keptIdleMilliseconds
  }

  #sum(count: (owner: ThreadOwner) => number): number {
    return this.#owners.values().reduce((sum, owner) => sum + count(owner), 0)
  }
}

/** The room of this process. */
export const threadRoom = new ThreadRoom()
