const maxItemLength = 1_000

/**
 * The first of many lines for a message, each cut at 1,000 characters, and how many more there are, so that hostile input does
 * not make messages endless.
 */
export function someOf(items: readonly string[], most: number): string[] {
  const shown = items.slice(0, most).map(shortened)
  return items.length > most ? [...shown, `and ${items.length - most} more`] : shown
}

/** A text for a message, cut at 1,000 characters. */
export function shortened(text: string): string {
  return text.length > maxItemLength ? `${text.slice(0, maxItemLength)}…` : text
}
