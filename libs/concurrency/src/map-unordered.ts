/**
 * Runs a task for each item, at most `width` at a time, and yields the results as they come. When the consumer stops,
 * the signal aborts or a task throws, the signal of the tasks under way aborts, and they are awaited.
 */
export async function* mapUnordered<T, R>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const ended = new AbortController()
  const combined = AbortSignal.any([signal, ended.signal])
  const running = new Set<Promise<{ result: R; self: () => void }>>()
  const start = (item: T): void => {
    const promise = task(item, combined).then((result) => ({ result, self: () => running.delete(promise) }))
    running.add(promise)
  }
  let next = 0
  try {
    while (next < items.length || running.size > 0) {
      signal.throwIfAborted()
      for (; running.size < width && next < items.length; next++) start(items[next] as T)
      const { result, self } = await Promise.race(running)
      self()
      yield result
    }
  } finally {
    ended.abort()
    await Promise.allSettled(running)
  }
}
