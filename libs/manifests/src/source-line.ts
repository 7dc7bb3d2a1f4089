/** Returns the line, counted from 1, of an offset in the text; CR, LF and CRLF end lines. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (const lineEnd of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    const isCut = lineEnd[0] === '\r' && lineEnd.index + 1 === offset && text[offset] === '\n'
    if (!isCut) line++
  }
  return line
}
