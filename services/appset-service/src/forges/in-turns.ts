/** How many questions are under way at once: forges slow down those who ask more. */
const concurrent = 4

/** Works on all items, a few at once, and gives the results in their order; the first error ends it. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const remaining = items.entries()
  let isOver = false
  const workers = Array.from({ length: concurrent }, async () => {
    for (const [index, item] of remaining) {
      if (isOver) return
      try {
        results[index] = await work(item)
      } catch (error) {
        isOver = true
        throw error
      }
    }
  })
  await Promise.all(workers)
  return results
}
