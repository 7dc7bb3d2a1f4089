/** Lets one change of an ApplicationSet at a time happen in this process, so that no two mix their Applications. */
export interface SetLock {
  /** Runs `change` when those of the same key that came before have ended; the key is the set's namespace and name. */
  run<Result>(key: string, change: () => Promise<Result>): Promise<Result>
}

/** A lock that nobody holds. */
export function createSetLock(): SetLock {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(key, change) {
      const before = last.get(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      last.set(key, promise)
      await before
      try {
        return await change()
      } finally {
        resolve()
        if (last.get(key) === promise) last.delete(key)
      }
    },
  }
}
