import { isNotFinite, resolvePlainScalar } from './go-scalar.ts'
import { colon, hash, space, characterTable, isListEntry, nextLine } from './line-reader.ts'
import type { Reader } from './line-reader.ts'
import type { JsonValue } from './manifest.ts'

const tab = 0x09

/** The characters that a simple plain scalar begins with. */
export const isPlainStart = characterTable(/[\w./$(~<=\\^;+-]/)

/** Reads the rest of the line as a plain scalar that {@link isPlainStart} admits; undefined if it is not a simple one. */
export function readPlain(reader: Reader): JsonValue | undefined {
  const { text, start, lineEnd } = reader
  if (isListEntry(reader)) return undefined
  let end = lineEnd
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit === tab) return undefined
    if (unit === colon && (index + 1 === lineEnd || text.charCodeAt(index + 1) === space)) return undefined
    if (unit === hash && text.charCodeAt(index - 1) === space) end = index
  }
  while (text.charCodeAt(end - 1) === space) end--
  const plain = text.slice(start, end)
  return isNotFinite(plain) ? undefined : resolvePlainScalar(plain)
}

// The expressions need stack for every character.
const maxQuotedLength = 10_000

const doubleQuoted = /^"(?:[^"\\\t]|\\["\\bfnrt])*" *$/
const singleQuoted = /^'(?:[^'\t]|'')*' *$/

/** Reads a quoted scalar or an empty collection; undefined if it is not a simple one. */
export function readOtherScalar(rest: string): JsonValue | undefined {
  if (rest.length > maxQuotedLength) return undefined
  if (rest.startsWith('"')) {
    if (!doubleQuoted.test(rest)) return undefined
    const quoted = rest.trimEnd()
    if (!quoted.includes('\\')) return quoted.slice(1, -1)
    const value: string = JSON.parse(quoted)
    return value
  }
  if (rest.startsWith("'")) {
    return singleQuoted.test(rest) ? rest.trimEnd().slice(1, -1).replaceAll("''", "'") : undefined
  }
  if (rest === '{}') return {}
  return rest === '[]' ? [] : undefined
}

const literalHeader = /^\|[-+]? *$/

/** Reads a literal block below its header, of an entry at the column `indent`; undefined if it is not a simple one. */
export function readLiteral(reader: Reader, header: string, indent: number): JsonValue | undefined {
  if (!literalHeader.test(header)) return undefined
  const { text } = reader
  let blockIndent = 0
  let content = ''
  let blankLines = ''
  while (reader.lineEnd < text.length) {
    const lineStart = reader.lineEnd + 1
    const newline = text.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    let start = lineStart
    while (text.charCodeAt(start) === space) start++
    const column = start - lineStart
    if (start >= lineEnd) {
      // Blank, or at the very end of the text no line at all.
      if (column > blockIndent) return undefined
      if (newline !== -1) blankLines += '\n'
    } else {
      if (blockIndent === 0) {
        if (column <= indent || text.charCodeAt(start) === tab) return undefined
        blockIndent = column
      }
      if (column < blockIndent) break
      if (newline === -1) return undefined
      content += `${blankLines}${text.slice(lineStart + blockIndent, lineEnd)}\n`
      blankLines = ''
    }
    reader.lineEnd = lineEnd
  }
  if (content === '') return undefined
  nextLine(reader)
  if (reader.indent > indent) return undefined
  if (header.startsWith('|-')) return content.slice(0, -1)
  return header.startsWith('|+') ? content + blankLines : content
}
