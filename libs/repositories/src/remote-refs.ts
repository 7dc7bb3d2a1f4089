import { setTimeout as delay } from 'node:timers/promises'
import { DeadlineExceededError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { MachineShortageError } from '@wadi/errors/machine-shortage.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import type { RemoteRefs } from '@wadi/git/mirror/remote-refs.ts'
import { Outages, type OutageEvents } from './outages.ts'

/** Runs of several branches begin at once; a question waits this long for others to share it. */
const gatherMs = 8

interface Answer {
  askedAt: number
  refs: Promise<RemoteRefs>
}

/** The options of a read. */
interface ReadOptions {
  /** True if the remote must be asked after the call came; otherwise an answer may be as old as the cache allows. */
  fresh: boolean
  /** True to ask a remote that failed a moment ago again, as a poll does. */
  probe?: boolean
  /** True to ask the remote without waiting for others that may ask the same; false by default. */
  atOnce?: boolean
}

/**
 * The refs of remotes. Callers that want them fresh share one question: each gets an answer to a question that was
 * asked after it came, and at most one question is under way and one waits. A remote that does not answer is not asked
 * for a while, so a server that hangs costs its repository one time limit, not one for each branch.
 */
export class RemoteRefsCache {
  #maxAgeMs: number
  #latest = new WeakMap<Mirror, Answer>()
  #next = new WeakMap<Mirror, Promise<RemoteRefs>>()
  #outages: Outages<Mirror>

  /** @param maxAgeMs how old an answer may be for callers that do not need it fresh */
  constructor(maxAgeMs: number, events?: OutageEvents) {
    this.#maxAgeMs = maxAgeMs
    this.#outages = new Outages(({ url }) => url, events)
  }

  /**
   * @throws what asking the remote throws; a failed answer is not kept, but one that says that the remote is unreachable is
   * repeated for a while to callers that do not probe
   */
  async read(mirror: Mirror, { fresh, probe = false, atOnce = false }: ReadOptions): Promise<RemoteRefs> {
    const latest = this.#latest.get(mirror)
    if (!fresh && latest && performance.now() - latest.askedAt < this.#maxAgeMs) return latest.refs
    if (!probe) this.#outages.assertOver(mirror)
    const waiting = this.#next.get(mirror)
    if (waiting) return waiting
    const gathering = atOnce ? undefined : delay(gatherMs)
    const next = Promise.all([latest?.refs.then(ignore, ignore), gathering]).then(() => {
      this.#next.delete(mirror)
      // What is known by now answers those who came while the remote was asked in vain.
      if (!probe) this.#outages.assertOver(mirror)
      return this.#ask(mirror)
    })
    this.#next.set(mirror, next)
    return next
  }

  /** The time at which a remote was asked last, as `performance.now()` tells it; undefined if it never was. */
  askedAt(mirror: Mirror): number | undefined {
    return this.#latest.get(mirror)?.askedAt
  }

  #ask(mirror: Mirror): Promise<RemoteRefs> {
    const askedAt = performance.now()
    const answer = { askedAt, refs: mirror.listRemote() }
    this.#latest.set(mirror, answer)
    answer.refs.then(
      () => this.#outages.ended(mirror),
      (error: unknown) => {
        if (this.#latest.get(mirror) === answer) this.#latest.delete(mirror)
        if (isOutage(error)) this.#outages.failed(mirror, error, performance.now() - askedAt)
        else this.#outages.ended(mirror)
      },
    )
    return answer.refs
  }
}

/** A shortage of this machine says nothing about the remote. */
function isOutage(error: unknown): error is UnavailableError | DeadlineExceededError {
  if (error instanceof MachineShortageError) return false
  return error instanceof UnavailableError || error instanceof DeadlineExceededError
}

function ignore(): void {
  // The next question is asked whatever became of the one before.
}
