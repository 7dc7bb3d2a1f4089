import type { DatabaseSync } from 'node:sqlite'
import { inSavepoint, inTransaction } from './sqlite-database.ts'

/** A change that waits for the next transaction. */
interface WaitingChange {
  /** Makes the change and returns what reports its result. */
  readonly make: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores the changes that come while the program handles one event in one transaction: a commit waits for the disk, so
 * fifty changes at once wait once. A change that fails leaves the others alone.
 */
export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #committed: () => void
  #waiting: WaitingChange[] = []
  #next: NodeJS.Immediate | undefined

  /** @param committed is called after each transaction that was stored */
  constructor(database: DatabaseSync, committed: () => void) {
    this.#database = database
    this.#committed = committed
  }

  /** Makes a change and returns its result once that is on the disk. @throws what the change throws, and SQLite's errors */
  async store<Result>(change: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const make = () => {
      const result = inSavepoint(this.#database, change)
      return () => resolve(result)
    }
    this.#waiting.push({ make, reject })
    this.#next ??= setImmediate(() => this.flush())
    return promise
  }

  /** Stores at once what waits. */
  flush(): void {
    clearImmediate(this.#next)
    this.#next = undefined
    const changes = this.#waiting
    this.#waiting = []
    if (changes.length === 0) return
    try {
      const made = inTransaction(this.#database, () => this.#makeAll(changes))
      if (made.length > 0) this.#committed()
      for (const report of made) report()
    } catch (error) {
      for (const { reject } of changes) reject(error)
    }
  }

  #makeAll(changes: readonly WaitingChange[]): (() => void)[] {
    const made: (() => void)[] = []
    for (const { make, reject } of changes) {
      try {
        made.push(make())
      } catch (error) {
        // SQLite takes back the whole transaction when, for example, the disk is full.
        if (!this.#database.isTransaction) throw error
        reject(error)
      }
    }
    return made
  }
}
