import type { RemoteRefs } from '../mirror/remote-refs.ts'
import { OddAnswerError } from './pkt-line.ts'

/** Collects the refs that a server lists, in its order. */
export class RefList {
  readonly #refs = new Map<string, string>()
  #head: string | undefined

  /** @throws OddAnswerError for what is not an object and the name of a ref. */
  add(object: string, name: string): void {
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(object) || !/^(?:HEAD$|refs\/)[^\p{Cc} ]*$/u.test(name)) {
      throw new OddAnswerError('the answer has a line that is not a ref')
    }
    this.#refs.set(name, object)
  }

  /** Notes which ref HEAD names; only a branch counts. */
  setHead(target: string): void {
    if (target.startsWith('refs/heads/')) this.#head = target.slice('refs/heads/'.length)
  }

  result(): RemoteRefs {
    return this.#head === undefined ? { refs: this.#refs } : { head: this.#head, refs: this.#refs }
  }
}
