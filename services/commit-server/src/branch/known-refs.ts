import type { RefUpdate } from '@wadi/git/commit/push.ts'

/**
 * The refs of a remote as this process knows them: what the remote said last, and on top what was pushed since it was asked.
 * Another writer may have moved each of them, so a push says what it expects.
 */
export class KnownRefs {
  #refs: Map<string, string> | undefined
  #askedAt = -Infinity
  #pushed = new Map<string, { sha: string; at: number }>()

  /** Full ref name to object; undefined before the remote was asked. */
  get refs(): ReadonlyMap<string, string> | undefined {
    return this.#refs
  }

  /** Takes over what the remote said when it was asked at `askedAt`, in `performance.now()`; an older answer is left out. */
  listed(refs: ReadonlyMap<string, string>, askedAt: number): void {
    if (askedAt < this.#askedAt) return
    this.#askedAt = askedAt
    this.#refs = new Map(refs)
    for (const [ref, { sha, at }] of this.#pushed) {
      if (at < askedAt) this.#pushed.delete(ref)
      else this.#refs.set(ref, sha)
    }
  }

  /** Takes over what a push has moved. */
  pushed(updates: readonly RefUpdate[]): void {
    const at = performance.now()
    for (const { ref, source } of updates) {
      this.#pushed.set(ref, { sha: source, at })
      this.#refs?.set(ref, source)
    }
  }
}
