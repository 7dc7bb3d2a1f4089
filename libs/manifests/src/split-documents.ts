/** A stretch of a text that can be read by itself, and its offset in the text. */
export interface TextPart {
  text: string
  start: number
}

/**
 * Cuts a YAML text in front of its document markers: a line of `---`, alone or followed by blank space and more. YAML
 * knows no place where such a line means anything else. A text with directives is one part, because they belong to the
 * marker below them. A byte order mark that kubectl drops stands in front of the marker and no longer behind it, where the
 * parser would keep it; everything else of the part keeps its offset.
 */
export function splitDocuments(text: string): TextPart[] {
  if (/(?:^\ufeff?|[\r\n])%/.test(text)) return [{ text, start: 0 }]
  const markers = [...text.matchAll(/\n---(?=[ \t\r\n]|$)/g)].map(({ index }) => index + 1)
  const first = { text: text.slice(0, markers[0]), start: 0 }
  let begin = 0
  const others = markers.map((start, index) => {
    const part = text.slice(start, markers[index + 1])
    // kubectl reads a document from the line after a marker, which is part of it only where no text is in front.
    const endsDocument = start > begin
    if (endsDocument) begin = lineEnd(text, start)
    return { text: endsDocument ? withMarkInFront(part) : part, start }
  })
  return [first, ...others]
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

function withMarkInFront(part: string): string {
  return part.replace(/^(---[ \t]*(?:#.*)?\r?\n)\ufeff/, '\ufeff$1')
}
