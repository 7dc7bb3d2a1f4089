const maxDistance = 2

/**
 * The name that a misspelt one most likely means, upper and lower case alike: at most two letters away, and at most one
 * for names of up to five letters. Letters are changed, added, removed or swapped with the next.
 */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = Infinity
  for (const name of known) {
    const farthest = Math.min(maxDistance, Math.max(1, Math.floor(name.length / 3)))
    // What differs more in length alone is not measured: keys may be long.
    if (Math.abs(name.length - written.length) > farthest) continue
    const distance = editDistance(written.toLowerCase(), name.toLowerCase())
    if (distance <= farthest && distance < least) [nearest, least] = [name, distance]
  }
  return nearest
}

function editDistance(from: string, to: string): number {
  let above: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? (above[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swapped))
    }
    above = row
    row = next
  }
  return row[to.length] ?? 0
}
