import { isNotFinite, resolvePlainScalar } from './go-scalar.ts'
import type { ComposedDocument } from './compose-yaml.ts'
import type { JsonValue } from './manifest.ts'

/** Returns whether the text has no character that YAML refuses, drops or may take for a line break beside LF. */
export function isOrdinaryText(text: string): boolean {
  let hasSurrogates = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20) {
      if (unit !== LINE_FEED && unit !== TAB) return false
    } else if (unit > 0x7e) {
      if (unit < 0xa0 || unit === 0x2028 || unit === 0x2029 || unit === 0xfeff || unit >= 0xfffe) return false
      hasSurrogates ||= unit >= 0xd800 && unit < 0xe000
    }
  }
  return !hasSurrogates || text.isWellFormed()
}

/**
 * Reads a document of the simple kind that tools write: block mappings and lists, scalars on one line, literal blocks.
 * Returns undefined for a document with anything else in it, be it a fault or a rarer feature, and then says nothing
 * about it; reading it is the full parser's task. The text must be ordinary as {@link isOrdinaryText} defines it.
 */
export function readBlockYaml(text: string, maxDepth: number): ComposedDocument | undefined {
  const reader: Reader = {
    text,
    lineEnd: -1,
    indent: -1,
    start: 0,
    nodes: 0,
    levels: Math.min(maxDepth, MAX_DEPTH),
  }
  nextLine(reader)
  if (/^---(?: +#.*)?$/.test(text.slice(0, reader.lineEnd).trimEnd())) nextLine(reader)
  if (reader.indent === END) return { value: null, eventIndex: ROOT_EVENT, nodes: 1 }
  const value = readBlock(reader, reader.indent)
  if (value === undefined || reader.indent !== END) return undefined
  return { value, eventIndex: ROOT_EVENT, nodes: reader.nodes }
}

/** Undefined as a value means, all over this file, that the document is not of the simple kind. */
type Value = JsonValue | undefined

interface Reader {
  text: string
  /** Where the content of the current line starts, and the column it stands at. */
  start: number
  indent: number
  lineEnd: number
  nodes: number
  /** How many more collections may be nested. */
  levels: number
}

/** The full parser's event for the root of a text's only document: the first one is the document's. */
const ROOT_EVENT = 1
const END = -2
const MAX_DEPTH = 60
const SPACE = 0x20
const DASH = 0x2d
const HASH = 0x23
const COLON = 0x3a
const TAB = 0x09
const LINE_FEED = 0x0a

/** Goes to the next line that is neither blank nor a comment. */
function nextLine(reader: Reader): void {
  const { text } = reader
  while (reader.lineEnd < text.length) {
    const lineStart = reader.lineEnd + 1
    const newline = text.indexOf('\n', lineStart)
    reader.lineEnd = newline === -1 ? text.length : newline
    let start = lineStart
    while (text.charCodeAt(start) === SPACE) start++
    if (start < reader.lineEnd && text.charCodeAt(start) !== HASH) {
      reader.start = start
      reader.indent = start - lineStart
      return
    }
  }
  reader.indent = END
}

/** Reads the mapping or list whose first entry is the current line's content, at the column `indent`. */
function readBlock(reader: Reader, indent: number): Value {
  if (reader.levels === 0) return undefined
  reader.levels--
  reader.nodes++
  const value = isListEntry(reader) ? readList(reader, indent) : readMapping(reader, indent)
  reader.levels++
  return value
}

function isListEntry(reader: Reader): boolean {
  const { text, start } = reader
  if (text.charCodeAt(start) !== DASH) return false
  return start + 1 === reader.lineEnd || text.charCodeAt(start + 1) === SPACE
}

function readList(reader: Reader, indent: number): Value {
  const items: JsonValue[] = []
  while (reader.indent === indent && isListEntry(reader)) {
    const item = readListItem(reader, indent)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

function readListItem(reader: Reader, indent: number): Value {
  const { text, start } = reader
  let content = start + 1
  while (text.charCodeAt(content) === SPACE) content++
  if (content >= reader.lineEnd) return readBelow(reader, indent, false)
  const column = indent + content - start
  reader.start = content
  if (isListEntry(reader) || isMappingEntry(reader)) {
    reader.indent = column
    return readBlock(reader, column)
  }
  return readInline(reader, indent)
}

const KEY_START = /[A-Za-z_/$]/
const KEY_CHARACTER = /[\w./$-]/
const isKeyStart = characterTable(KEY_START)
const isKeyCharacter = characterTable(KEY_CHARACTER)

function characterTable(character: RegExp): boolean[] {
  return Array.from({ length: 128 }, (_, unit) => character.test(String.fromCharCode(unit)))
}

/** Returns the offset of the colon behind the plain key that the current line's content begins with, or -1. */
function plainKeyEnd(reader: Reader): number {
  const { text, start, lineEnd } = reader
  if (isKeyStart[text.charCodeAt(start)] !== true) return -1
  let end = start + 1
  while (isKeyCharacter[text.charCodeAt(end)] === true) end++
  const isEntry =
    text.charCodeAt(end) === COLON && (end + 1 === lineEnd || text.charCodeAt(end + 1) === SPACE)
  return isEntry ? end : -1
}

const QUOTED_KEY = /(?:"[^"\\\n]*"|'[^'\n]*')(?=:[ \n])/y

/** The same for a key in quotes that has nothing to unescape. */
function quotedKeyEnd(reader: Reader): number {
  QUOTED_KEY.lastIndex = reader.start
  return QUOTED_KEY.test(reader.text) ? QUOTED_KEY.lastIndex : -1
}

function isMappingEntry(reader: Reader): boolean {
  return plainKeyEnd(reader) !== -1 || quotedKeyEnd(reader) !== -1
}

/** Reads the key of the current line and moves on to its value; undefined for a key that is not a simple one. */
function readKey(reader: Reader): string | undefined {
  const { text, start } = reader
  const plainEnd = plainKeyEnd(reader)
  const end = plainEnd === -1 ? quotedKeyEnd(reader) : plainEnd
  if (end === -1) return undefined
  const key = plainEnd === -1 ? text.slice(start + 1, end - 1) : text.slice(start, end)
  if (key === '__proto__' || (plainEnd !== -1 && resolvePlainScalar(key) !== key)) return undefined
  let next = end + 1
  while (text.charCodeAt(next) === SPACE) next++
  reader.start = next
  return key
}

function readMapping(reader: Reader, indent: number): Value {
  const mapping: { [key: string]: JsonValue } = {}
  while (reader.indent === indent) {
    const key = readKey(reader)
    if (key === undefined || Object.hasOwn(mapping, key)) return undefined
    reader.nodes++
    const value =
      reader.start >= reader.lineEnd ? readBelow(reader, indent, true) : readInline(reader, indent)
    if (value === undefined) return undefined
    mapping[key] = value
  }
  return reader.indent > indent ? undefined : mapping
}

/** Reads what an entry without a value on its line has below it. A list may stand at the column of its key. */
function readBelow(reader: Reader, indent: number, isKey: boolean): Value {
  nextLine(reader)
  if (reader.indent > indent) return readBlock(reader, reader.indent)
  if (isKey && reader.indent === indent && isListEntry(reader)) return readBlock(reader, indent)
  reader.nodes++
  return null
}

/** Reads the rest of the line as the value of an entry at the column `indent`. */
function readInline(reader: Reader, indent: number): Value {
  reader.nodes++
  const { text, start, lineEnd } = reader
  const isPlain = isPlainStart[text.charCodeAt(start)] === true
  if (!isPlain && text.startsWith('|', start)) return readLiteral(reader, text.slice(start, lineEnd), indent)
  const value = isPlain ? readPlain(reader) : readOtherScalar(text.slice(start, lineEnd))
  if (value === undefined) return undefined
  nextLine(reader)
  return reader.indent > indent ? undefined : value
}

const isPlainStart = characterTable(/[\w./$(~<=\\^;+-]/)

function readPlain(reader: Reader): Value {
  const { text, start, lineEnd } = reader
  if (isListEntry(reader)) return undefined
  let end = lineEnd
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit === TAB) return undefined
    if (unit === COLON && (index + 1 === lineEnd || text.charCodeAt(index + 1) === SPACE)) return undefined
    if (unit === HASH && text.charCodeAt(index - 1) === SPACE) end = index
  }
  while (text.charCodeAt(end - 1) === SPACE) end--
  const plain = text.slice(start, end)
  return isNotFinite(plain) ? undefined : resolvePlainScalar(plain)
}

const DOUBLE_QUOTED = /^"(?:[^"\\\t]|\\["\\/bfnrt])*" *$/
const SINGLE_QUOTED = /^'(?:[^'\t]|'')*' *$/

function readOtherScalar(rest: string): Value {
  if (rest.startsWith('"')) {
    if (!DOUBLE_QUOTED.test(rest)) return undefined
    const quoted = rest.trimEnd()
    if (!quoted.includes('\\')) return quoted.slice(1, -1)
    const value: string = JSON.parse(quoted)
    return value
  }
  if (rest.startsWith("'")) {
    return SINGLE_QUOTED.test(rest) ? rest.trimEnd().slice(1, -1).replaceAll("''", "'") : undefined
  }
  if (rest === '{}') return {}
  return rest === '[]' ? [] : undefined
}

const LITERAL_HEADER = /^\|[-+]? *$/

function readLiteral(reader: Reader, header: string, indent: number): Value {
  if (!LITERAL_HEADER.test(header)) return undefined
  const { text } = reader
  let blockIndent = 0
  let content = ''
  let blankLines = ''
  while (reader.lineEnd < text.length) {
    const lineStart = reader.lineEnd + 1
    const newline = text.indexOf('\n', lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    let start = lineStart
    while (text.charCodeAt(start) === SPACE) start++
    const column = start - lineStart
    if (start >= lineEnd) {
      // Blank, or at the very end of the text no line at all.
      if (column > blockIndent) return undefined
      if (newline !== -1) blankLines += '\n'
    } else {
      if (blockIndent === 0) {
        if (column <= indent || text.charCodeAt(start) === TAB) return undefined
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
