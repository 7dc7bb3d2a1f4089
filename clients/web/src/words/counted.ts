const numbers = new Intl.NumberFormat()

/** A number with its noun: `1 branch`, `2,000 branches`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${numbers.format(count)} ${count === 1 ? noun : plural}`
}
