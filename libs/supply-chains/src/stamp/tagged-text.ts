const opening = '$('
const closing = ')$'

/** A text of a template: one tag alone, or a text with any number of tags in it. */
type TaggedText = { tag: string } | { parts: readonly (string | { tag: string })[] }

/**
 * Finds the tags `$(…)$` of a text as Cartographer does: a tag ends at the first `)$` after its beginning, and one without
 * an end is text, so that the `$(params.x)` of other tools stays as it is.
 */
export function readTaggedText(text: string): TaggedText {
  const first = text.indexOf(opening)
  if (first === -1) return { parts: [text] }
  const isSingleTag = first === 0 && text.endsWith(closing) && !text.includes(opening, 1)
  if (isSingleTag) return { tag: text.slice(opening.length, -closing.length) }
  const parts: (string | { tag: string })[] = []
  let position = 0
  for (;;) {
    const start = text.indexOf(opening, position)
    const end = start === -1 ? -1 : text.indexOf(closing, start + opening.length)
    if (end === -1) return { parts: [...parts, text.slice(position)] }
    parts.push(text.slice(position, start), { tag: text.slice(start + opening.length, end) })
    position = end + closing.length
  }
}
