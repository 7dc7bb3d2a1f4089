import { CommandFailure } from '../command-line/command-failure.ts'

/** Counts the objects that were stored, shows the count on a terminal, and says at the end how many there are. */
export class ApplyProgress {
  readonly #total: number
  readonly #dryRun: boolean
  readonly #isShown: boolean
  #done = 0
  #before = 0

  constructor(total: number, dryRun: boolean) {
    this.#total = total
    this.#dryRun = dryRun
    this.#isShown = process.stderr.isTTY && total > 1
    this.#show()
  }

  /** Counts one more object, or so many since the last count of its kind began. */
  done(ofKind?: number): void {
    if (ofKind === undefined) this.#before = this.#done + 1
    this.#done = ofKind === undefined ? this.#before : this.#before + ofKind
    this.#show()
  }

  /** Returns the error with how many objects are stored all the same. */
  partial(error: unknown): unknown {
    if (this.#dryRun || this.#done === 0 || !(error instanceof Error)) return error
    const text = `${error.message}\n${this.#done} of ${this.#total} objects are stored`
    return new CommandFailure(text, undefined, { cause: error })
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K')
  }

  /** Leaves the summary in place of the count. */
  end(): void {
    if (!this.#isShown) return
    const verb = this.#dryRun ? 'checked' : 'applied'
    process.stderr.write(`\r\u001b[K${this.#done} of ${this.#total} objects ${verb}\n`)
  }

  #show(): void {
    if (this.#isShown) process.stderr.write(`\r\u001b[K${this.#done} of ${this.#total} objects`)
  }
}
