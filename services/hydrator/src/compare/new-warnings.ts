import { randomNote } from '@wadi/changes/applications/application-changes.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/**
 * Returns the warnings that are not known, each once. What a note on masked values says is not said again.
 * @param known those of a record, which holds the beginning of a long warning
 */
export function newWarnings(warnings: readonly string[], known: readonly string[]): string[] {
  const all = new Set(warnings)
  const isKnown = (text: string): boolean => known.includes(text) || known.includes(shortened(text, 500))
  return [...all].filter((text) => !isKnown(text) && !all.has(randomNote({ difference: text })))
}
