import pLimit from 'p-limit'

/**
 * Works on all items, at most `maxAtOnce` at a time, and gives the results in the order of the items. After an error
 * nothing more begins, and the first error is thrown when what had begun has ended.
 */
export async function mapWithLimit<Item, Result>(
  items: readonly Item[],
  maxAtOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency: maxAtOnce, rejectOnClear: true })
  const errors: unknown[] = []
  const workOrStop = async (item: Item): Promise<Result> => {
    try {
      return await work(item)
    } catch (error) {
      errors.push(error)
      limit.clearQueue()
      throw error
    }
  }
  const settled = await Promise.allSettled(items.map((item) => limit(workOrStop, item)))
  if (errors.length > 0) throw errors[0]
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
