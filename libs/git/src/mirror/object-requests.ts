import { setImmediate as nextTurn } from 'node:timers/promises'
import { NotFoundError } from '@wadi/errors/domain-error.ts'

/** Objects of a commit that somebody waits for. */
export type ObjectRequest = { commit: string; oids: readonly string[]; done: PromiseWithResolvers<void> }

type Load = (requests: readonly ObjectRequest[]) => Promise<void>

/** The objects that are waited for. Those of one moment are loaded together. */
export class ObjectRequests {
  #waiting: ObjectRequest[] = []

  /** Adds objects of a commit, and resolves when a later `serve` has loaded them. @throws what its `load` throws */
  add(commit: string, oids: readonly string[]): Promise<void> {
    const done = Promise.withResolvers<void>()
    done.promise.catch(() => undefined)
    this.#waiting.push({ commit, oids, done })
    return done.promise
  }

  /** Loads what waits, and says so to those who wait for it. */
  async serve(load: Load): Promise<void> {
    // What is asked for in the same turn comes along.
    await nextTurn()
    await serveTogether(this.#waiting.splice(0), load)
  }
}

async function serveTogether(requests: readonly ObjectRequest[], load: Load): Promise<void> {
  if (requests.length === 0) return
  try {
    await load(requests)
    for (const { done } of requests) done.resolve()
  } catch (error) {
    const [only, ...others] = requests
    if (only !== undefined && (others.length === 0 || !(error instanceof NotFoundError))) {
      for (const { done } of requests) done.reject(error)
      return
    }
    // One of them is not there any more; that is no reason for the others to fail.
    for (const request of requests) await serveTogether([request], load)
  }
}
