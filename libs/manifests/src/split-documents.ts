/** A stretch of a text that can be read by itself, and its offset in the text. */
export interface TextPart {
  text: string
  start: number
}

/**
 * Cuts a YAML text in front of its document markers: a line of `---`, alone or followed by blank space and more. YAML
 * knows no place where such a line means anything else. A text with directives is one part, because they belong to the
 * marker below them; so is one with a byte order mark, which may stand in front of a marker.
 */
export function splitDocuments(text: string): TextPart[] {
  if (/(?:^|[\r\n])%|\ufeff/.test(text)) return [{ text, start: 0 }]
  const starts = [0]
  for (const marker of text.matchAll(/\n---(?=[ \t\r\n]|$)/g)) starts.push(marker.index + 1)
  return starts.map((start, index) => ({ text: text.slice(start, starts[index + 1]), start }))
}
