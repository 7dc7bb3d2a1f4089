import { shortened } from '@wadi/errors/some-of.ts'

/** The facts of a render that warn. */
interface RenderWarnings {
  readonly warnings: readonly string[]
  /** The values that are masked, as they differ at each render. */
  readonly random: readonly { readonly difference: string }[]
}

/** Returns the warnings of a render, with a note on its masked values. */
export function renderWarnings({ warnings, random }: RenderWarnings): string[] {
  return [...warnings, ...random.map(({ difference }) => randomNote(difference))]
}

/**
 * Returns the warnings that are not known, each once. What a note on masked values says is not said again.
 * @param known those of a record, which holds the beginning of a long warning
 */
export function newWarnings(warnings: readonly string[], known: readonly string[]): string[] {
  const all = new Set(warnings)
  const isKnown = (text: string): boolean => known.includes(text) || known.includes(shortened(text, 500))
  return [...all].filter((text) => !isKnown(text) && !all.has(randomNote(text)))
}

function randomNote(difference: string): string {
  return `random at each render: ${difference}`
}
