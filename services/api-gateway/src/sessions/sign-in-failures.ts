/** Wrong passwords within the window after which a name has to wait. */
export const maxFailures = 5

/** Time for which a wrong password is remembered. */
export const windowSeconds = 300

const maxNames = 1_000

/**
 * Remembers for whom wrong passwords were given, so that guessing is slow: five within 300 seconds, and the name has to
 * wait until the first of them is that old. At most 1,000 names are remembered; names that are not accounts are forgotten
 * first, so that trying many of them does not free an account.
 */
export class SignInFailures {
  readonly #isAccount: (name: string) => boolean
  /** The times of failures by name, in seconds, oldest first; the name that failed last is the last one. */
  readonly #failures = new Map<string, readonly number[]>()

  constructor(isAccount: (name: string) => boolean) {
    this.#isAccount = isAccount
  }

  /** Returns whether the name has to wait. */
  mustWait(name: string, nowSeconds: number): boolean {
    return this.#recent(name, nowSeconds).length >= maxFailures
  }

  record(name: string, nowSeconds: number): void {
    const failures = [...this.#recent(name, nowSeconds), nowSeconds]
    this.#failures.delete(name)
    this.#failures.set(name, failures)
    if (this.#failures.size <= maxNames) return
    const [oldest] = this.#failures.keys()
    const unknown = this.#failures.keys().find((other) => !this.#isAccount(other))
    this.#failures.delete(unknown ?? oldest ?? name)
  }

  /** Forgets the failures of a name that gave the right password. */
  forgive(name: string): void {
    this.#failures.delete(name)
  }

  #recent(name: string, nowSeconds: number): readonly number[] {
    return (this.#failures.get(name) ?? []).filter((failedAt) => nowSeconds - failedAt < windowSeconds)
  }
}
