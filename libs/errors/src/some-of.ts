const maxItemLength = 1_000

/**
 * The first of many lines for a message, each cut at 1,000 characters, and how many more there are, so that hostile input does
 * not make messages endless.
 */
export function someOf(items: readonly string[], max: number): string[] {
  const shown = items.slice(0, max).map((item) => shortened(item))
  return items.length > max ? [...shown, `and ${items.length - max} more`] : shown
}

/** The same within one line: `a, b and 2 more`. */
export function someInLine(items: readonly string[], max: number, separator = ', '): string {
  const shown = items
    .slice(0, max)
    .map((item) => shortened(item))
    .join(separator)
  return items.length > max ? `${shown} and ${items.length - max} more` : shown
}

/** A string for a message, cut at so many characters. */
export function shortened(text: string, maxLength: number = maxItemLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
