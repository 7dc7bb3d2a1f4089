/**
 * Begins with the first items at once, and with one more for each that was asked for, so that most answers are there when
 * somebody asks. Items may be asked for in any order, each once.
 * @param width how many answers wait for their question, or are being worked on, at most
 */
export function workAhead<Item, Answer>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<Answer>,
): (item: Item) => Promise<Answer> {
  const waiting = new Set(items)
  const begun = new Map<Item, Promise<Answer>>()
  const begin = (item: Item): Promise<Answer> => {
    waiting.delete(item)
    const answer = work(item)
    // It is thrown to the one who asks for it.
    answer.catch(() => undefined)
    return answer
  }
  const fill = (): void => {
    for (const item of waiting) {
      if (begun.size >= width) break
      begun.set(item, begin(item))
    }
  }
  fill()
  return (item) => {
    const answer = begun.get(item) ?? begin(item)
    begun.delete(item)
    fill()
    return answer
  }
}
