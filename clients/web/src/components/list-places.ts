/** A line of a list: the heading of a group, or an item by its place among all. */
type ListPlace<Group> = { heading: Group } | { index: number }

/** The lines of a list in which each group has a heading before its items. */
export interface ListPlaces<Group> {
  /** The number of lines. */
  count: number
  at: (line: number) => ListPlace<Group>
}

/** Returns the lines of a list of `total` items, which need not be grouped. */
export function listPlaces<Group extends { readonly total: number }>(
  groups: readonly Group[],
  total: number,
): ListPlaces<Group> {
  const headings: number[] = []
  let next = 0
  for (const group of groups) {
    headings.push(next)
    next += group.total + 1
  }
  return {
    count: groups.length + total,
    at: (line) => {
      const place = lastAtMost(headings, line)
      const heading = groups[place]
      return heading && headings[place] === line ? { heading } : { index: line - place - 1 }
    },
  }
}

/** Returns the place of the last of some ascending numbers that is at most a limit; -1 for none. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
