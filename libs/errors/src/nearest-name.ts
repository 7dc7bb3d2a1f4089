const farthest = 2

/** The name that a misspelt one most likely means: at most two letters away, upper and lower case alike. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let least = farthest + 1
  for (const name of known) {
    // What differs more in length alone is not measured: keys may be long.
    if (Math.abs(name.length - written.length) > farthest) continue
    const distance = editDistance(written.toLowerCase(), name.toLowerCase())
    if (distance < least) [nearest, least] = [name, distance]
  }
  return nearest
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
