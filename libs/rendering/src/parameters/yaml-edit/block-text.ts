import { isJsonObject } from '@wadi/fields/json-object.ts'
import { type ScalarText, emitString } from '@wadi/manifests/emit-string.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { fromJson, jsonText } from '@wadi/params/values/value-json.ts'

/**
 * Writes an entry of a block map at a column: the lines with their ends, the first one without its indentation.
 * Every text is written so that readers of YAML 1.1 and 1.2 get it back as text.
 */
export function pairText(key: string, value: JsonValue, column: number): string {
  const text = keyText(key)
  if (text.length <= maxKeyLength) return `${text}:${valueText(value, column)}`
  return `? ${text}\n${' '.repeat(column)}:${valueText(value, column)}`
}

/** Go's YAML libraries read a longer key only behind a question mark. */
const maxKeyLength = 1024

/** Writes a key of a flow map, with its colon. */
export function flowKey(key: string): string {
  const text = flowText(key)
  return text.length <= maxKeyLength ? `${text}:` : `? ${text}:`
}

/** Writes an item of a block list at a column as `pairText` does, from its dash on. */
export function itemText(value: JsonValue, column: number): string {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return `-${valueText(value, column)}`
  return `- ${mapText(value, column + 2)}`
}

/** Writes what follows the colon or the dash of an entry at a column. */
export function valueText(value: JsonValue, column: number): string {
  const below = column + 2
  const indent = ' '.repeat(below)
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []\n'
    return `\n${value.map((item) => `${indent}${itemText(item, below)}`).join('')}`
  }
  if (isJsonObject(value)) {
    return Object.keys(value).length === 0 ? ' {}\n' : `\n${indent}${mapText(value, below)}`
  }
  if (typeof value !== 'string') return ` ${String(value)}\n`
  const text = stringText(value, below)
  if ('inline' in text) return ` ${text.inline}\n`
  const lines = text.lines.map((line) => (line === '' ? '' : indent + line))
  return ` ${text.header}\n${lines.map((line) => `${line}\n`).join('')}`
}

/** Writes a value for a flow collection; it is JSON, which is YAML too. */
export function flowText(value: JsonValue): string {
  return jsonText(fromJson(value)).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function mapText(value: { [key: string]: JsonValue }, column: number): string {
  const pairs = Object.entries(value).map(([key, item]) => pairText(key, item, column))
  return pairs.join(' '.repeat(column))
}

/** A key stands on one line, so it is not a literal block, and a plain `<<` would merge. */
function keyText(key: string): string {
  const text = stringText(key, 0)
  return 'inline' in text && key !== '<<' ? text.inline : flowText(key)
}

/** Empty lines below the literal block of a text that ends with some would become a part of it, and readers differ about line separators. */
function stringText(text: string, indent: number): ScalarText {
  const isDelicate = /^\n$|\n\n$|[\u2028\u2029]/.test(text)
  return isDelicate ? { inline: flowText(text) } : emitString(text, indent)
}
