/** A document that is read line by line. */
export interface Reader {
  text: string
  /** The offset at which the content of the current line starts, and its column. */
  start: number
  indent: number
  lineEnd: number
  nodes: number
  /** The number of collections that may still be nested. */
  levels: number
}

/** The column of the current line behind the last one. */
export const endOfDocument = -2

export const space = 0x20
export const colon = 0x3a
export const hash = 0x23
const dash = 0x2d

/** Goes to the next line that is neither blank nor a comment. */
export function nextLine(reader: Reader): void {
  const { text } = reader
  while (reader.lineEnd < text.length) {
    const lineStart = reader.lineEnd + 1
    const newline = text.indexOf('\n', lineStart)
    reader.lineEnd = newline === -1 ? text.length : newline
    let start = lineStart
    while (text.charCodeAt(start) === space) start++
    if (start < reader.lineEnd && text.charCodeAt(start) !== hash) {
      reader.start = start
      reader.indent = start - lineStart
      return
    }
  }
  reader.indent = endOfDocument
}

/** Returns whether the current line's content begins with the dash of a list item. */
export function isListEntry(reader: Reader): boolean {
  const { text, start } = reader
  if (text.charCodeAt(start) !== dash) return false
  return start + 1 === reader.lineEnd || text.charCodeAt(start + 1) === space
}

/** Returns for every ASCII code whether the expression matches its character. */
export function characterTable(character: RegExp): boolean[] {
  return Array.from({ length: 128 }, (_, unit) => character.test(String.fromCharCode(unit)))
}
