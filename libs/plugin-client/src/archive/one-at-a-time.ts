/** Does work one piece after the other, in the order in which it came. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** Does the work when it is its turn; a failure is the caller's alone. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}
