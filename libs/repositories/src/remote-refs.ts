import { setTimeout as delay } from 'node:timers/promises'
import type { Mirror, RemoteRefs } from '@wadi/git/mirror.ts'

/** Runs of several branches begin at once; a question waits this long for others to share it. */
const gatherMs = 8

interface Answer {
  askedAt: number
  refs: Promise<RemoteRefs>
}

/**
 * What remotes say of their refs. Callers that want it fresh share one question: each gets an answer to a question that
 * was asked after it came, and at most one question is under way and one waits.
 */
export class RemoteRefsCache {
  #maxAgeMs: number
  #latest = new WeakMap<Mirror, Answer>()
  #next = new WeakMap<Mirror, Promise<RemoteRefs>>()

  /** @param maxAgeMs how old an answer may be for callers that do not need it fresh */
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs
  }

  /** @throws what asking the remote throws; a failed answer is not kept */
  async read(mirror: Mirror, fresh: boolean): Promise<RemoteRefs> {
    const latest = this.#latest.get(mirror)
    if (!fresh && latest && performance.now() - latest.askedAt < this.#maxAgeMs) return latest.refs
    const waiting = this.#next.get(mirror)
    if (waiting) return waiting
    const next = Promise.all([latest?.refs.then(ignore, ignore), delay(gatherMs)]).then(() => {
      this.#next.delete(mirror)
      return this.#ask(mirror)
    })
    this.#next.set(mirror, next)
    return next
  }

  #ask(mirror: Mirror): Promise<RemoteRefs> {
    const answer = { askedAt: performance.now(), refs: mirror.listRemote() }
    this.#latest.set(mirror, answer)
    answer.refs.catch(() => {
      if (this.#latest.get(mirror) === answer) this.#latest.delete(mirror)
    })
    return answer.refs
  }
}

function ignore(): void {
  // The next question is asked whatever became of the one before.
}
