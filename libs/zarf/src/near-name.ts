/** Longest name that is compared, in characters. */
const longestName = 64

/**
 * Returns the name that somebody most likely meant: one of those known that differs in no more than two letters, capitals,
 * hyphens and underscores aside; undefined when there is none.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const [nearest] = known
    .map((each) => ({ each, distance: editDistance(letters(name), letters(each)) }))
    .filter(({ each, distance }) => distance <= 2 && distance < letters(each).length)
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.each
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

/** How many letters have to be added, removed or replaced to make one text of another. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [done, letter] of Array.from(from).entries()) {
    const next = [done + 1]
    for (const [index, other] of Array.from(to).entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
