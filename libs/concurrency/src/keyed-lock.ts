/** Lets work of one key happen one at a time in this process. */
export interface KeyedLock {
  /** Runs `work` when that of the same key that came before has ended, also if it failed. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

/** A lock that nobody holds. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = last.get(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      last.set(key, promise)
      await before
      try {
        return await work()
      } finally {
        resolve()
        if (last.get(key) === promise) last.delete(key)
      }
    },
  }
}
