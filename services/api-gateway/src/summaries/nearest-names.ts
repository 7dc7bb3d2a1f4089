/**
 * Returns the items whose names contain a text: equal names first, then those that begin with it, then all others, each in their order.
 * @param text in lower case
 * @param keepsAll true to list the items whose names do not contain it last
 */
export function nearestNames<Item>(
  items: Iterable<Item>,
  nameOf: (item: Item) => string,
  text: string,
  keepsAll = false,
): Item[] {
  const ranked: Item[][] = [[], [], [], []]
  for (const item of items) ranked[rankOf(nameOf(item).toLowerCase(), text)]?.push(item)
  return (keepsAll ? ranked : ranked.slice(0, -1)).flat()
}

function rankOf(name: string, text: string): number {
  if (name === text) return 0
  if (name.startsWith(text)) return 1
  return name.includes(text) ? 2 : 3
}
