import { isPlainStart, readLiteral, readOtherScalar, readPlain } from './block-scalar.ts'
import type { ComposedDocument } from './compose-yaml.ts'
import { resolvePlainScalar } from './go-scalar.ts'
import { colon, endOfDocument, space, characterTable, isListEntry, nextLine } from './line-reader.ts'
import type { Reader } from './line-reader.ts'
import type { JsonValue } from './manifest.ts'

/** Undefined means, all over this file, that the document is not of the simple kind. */
type Value = JsonValue | undefined

/**
 * Reads a document of the simple kind that tools write: block mappings and lists, scalars on one line, literal blocks.
 * Returns undefined for a document with anything else in it, be it an error or a rarer feature, and then says nothing
 * about it; reading it is the full parser's task. The text must be ordinary as `isOrdinaryText` defines it.
 */
export function readBlockYaml(text: string, maxDepth: number): ComposedDocument<JsonValue> | undefined {
  const reader: Reader = {
    text,
    lineEnd: -1,
    indent: -1,
    start: 0,
    nodes: 0,
    levels: Math.min(maxDepth, maxLevels),
  }
  nextLine(reader)
  if (/^---(?: +#.*)?$/.test(text.slice(0, reader.lineEnd).trimEnd())) nextLine(reader)
  if (reader.indent === endOfDocument) return { value: null, eventIndex: rootEvent, nodes: 1 }
  const value = readBlock(reader, reader.indent)
  if (value === undefined || reader.indent !== endOfDocument) return undefined
  return { value, eventIndex: rootEvent, nodes: reader.nodes }
}

/** The full parser's event for the root of a text's only document: the first one is the document's. */
const rootEvent = 1

const maxLevels = 60

/** Reads the mapping or list whose first entry is the current line's content, at the column `indent`. */
function readBlock(reader: Reader, indent: number): Value {
  if (reader.levels === 0) return undefined
  reader.levels--
  reader.nodes++
  const value = isListEntry(reader) ? readList(reader, indent) : readMapping(reader, indent)
  reader.levels++
  return value
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
  while (text.charCodeAt(content) === space) content++
  if (content >= reader.lineEnd) return readBelow(reader, indent, false)
  const column = indent + content - start
  reader.start = content
  if (isListEntry(reader) || isMappingEntry(reader)) {
    reader.indent = column
    return readBlock(reader, column)
  }
  return readInline(reader, indent)
}

const isKeyStart = characterTable(/[A-Za-z_/$]/)
const isKeyCharacter = characterTable(/[\w./$-]/)

/** Returns the offset of the colon behind the plain key that the current line's content begins with, or -1. */
function plainKeyEnd(reader: Reader): number {
  const { text, start, lineEnd } = reader
  if (isKeyStart[text.charCodeAt(start)] !== true) return -1
  let end = start + 1
  while (isKeyCharacter[text.charCodeAt(end)] === true) end++
  const isEntry =
    text.charCodeAt(end) === colon && (end + 1 === lineEnd || text.charCodeAt(end + 1) === space)
  return isEntry ? end : -1
}

const quotedKey = /(?:"[^"\\\n]*"|'[^'\n]*')(?=:[ \n])/y

/** The same for a key in quotes that has nothing to unescape. */
function quotedKeyEnd(reader: Reader): number {
  quotedKey.lastIndex = reader.start
  return quotedKey.test(reader.text) ? quotedKey.lastIndex : -1
}

function isMappingEntry(reader: Reader): boolean {
  return plainKeyEnd(reader) !== -1 || quotedKeyEnd(reader) !== -1
}

/** A longer one is not read as a key by the full parser. */
const maxKeyLength = 1024

/** Reads the key of the current line and moves on to its value; undefined for a key that is not a simple one. */
function readKey(reader: Reader): string | undefined {
  const { text, start } = reader
  const plainEnd = plainKeyEnd(reader)
  const end = plainEnd === -1 ? quotedKeyEnd(reader) : plainEnd
  if (end === -1) return undefined
  const key = plainEnd === -1 ? text.slice(start + 1, end - 1) : text.slice(start, end)
  if (end - start > maxKeyLength) return undefined
  if (key === '__proto__' || (plainEnd !== -1 && resolvePlainScalar(key) !== key)) return undefined
  let next = end + 1
  while (text.charCodeAt(next) === space) next++
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
