import { isJsonObject } from '@wadi/fields/json-object.ts'
import { emitString, needsExplicitKey } from './emit-string.ts'
import { fitsInt64, formatGoFloat, integralAsInteger } from './go-number.ts'
import type { JsonValue, Manifest } from './manifest.ts'
import { compareNaturally } from './natural-order.ts'

/**
 * Returns the bytes that Argo CD's commit server writes for the objects, in the order given: block style, indentation
 * of two, sorted keys, `---` between documents. No manifests give the empty string.
 *
 * One difference: a key `<<` is quoted, because Argo CD writes it plain and readers then take it for a merge.
 */
export function emitManifests(manifests: Manifest[]): string {
  const output: Output = { text: '', keys: new Map() }
  for (const [index, manifest] of manifests.entries()) {
    if (index > 0) output.text += '---\n'
    if (isEmpty(manifest)) output.text += '{}\n'
    else emitMapping(output, manifest, 0)
  }
  return output.text
}

interface Output {
  text: string
  /** Keys as they are written, explicit ones left out: a few hundred names make up nearly all of a manifest's keys. */
  keys: Map<string, string>
}

const maxCachedKeys = 10_000

/** Writes the entries; the cursor stands where the first key goes, at the column `indent`. */
function emitMapping(output: Output, mapping: Manifest, indent: number): void {
  const keys = Object.keys(mapping)
  if (keys.length > 1) keys.sort(compareNaturally)
  let margin = ''
  for (const key of keys) {
    const value = mapping[key] ?? null
    output.text += margin
    margin ||= ' '.repeat(indent)
    if (needsExplicitKey(key)) {
      output.text += '? '
      emitText(output, key, indent)
      output.text += `${margin}:`
      emitCompact(output, value, indent)
    } else {
      output.text += `${simpleKey(output, key)}:`
      emitAfterKey(output, value, indent)
    }
  }
}

function simpleKey(output: Output, key: string): string {
  const known = output.keys.get(key)
  if (known !== undefined) return known
  const written = writeSimpleKey(key)
  if (output.keys.size < maxCachedKeys) output.keys.set(key, written)
  return written
}

function writeSimpleKey(key: string): string {
  if (key === '<<') return '"<<"'
  const scalar = emitString(key, 0)
  return 'inline' in scalar ? scalar.inline : ''
}

/** A mapping or list goes below its key; anything else, empty ones too, onto its line. */
function emitAfterKey(output: Output, value: JsonValue, indent: number): void {
  const isCollection = typeof value === 'object' && value !== null && !isEmpty(value)
  if (!isCollection) {
    output.text += ' '
    emitScalar(output, value, indent)
    return
  }
  output.text += `\n${' '.repeat(indent + 2)}`
  emitCollection(output, value, indent + 2)
}

/** After `-` and the `:` of an explicit key a mapping or list begins on the same line. */
function emitCompact(output: Output, value: JsonValue, indent: number): void {
  output.text += ' '
  const isCollection = typeof value === 'object' && value !== null && !isEmpty(value)
  if (isCollection) emitCollection(output, value, indent + 2)
  else emitScalar(output, value, indent)
}

function emitCollection(output: Output, value: JsonValue[] | Manifest, indent: number): void {
  if (isJsonObject(value)) {
    emitMapping(output, value, indent)
    return
  }
  let margin = ''
  for (const item of value) {
    output.text += `${margin}-`
    margin ||= ' '.repeat(indent)
    emitCompact(output, item, indent)
  }
}

function emitScalar(output: Output, value: JsonValue, indent: number): void {
  switch (typeof value) {
    case 'string':
      emitText(output, value, indent)
      return
    case 'number':
      output.text += `${emitNumber(value)}\n`
      return
    case 'bigint':
      output.text += `${fitsInt64(value) ? String(value) : formatGoFloat(Number(value))}\n`
      return
    case 'boolean':
      output.text += value ? 'true\n' : 'false\n'
      return
    default:
      output.text += value === null ? 'null\n' : Array.isArray(value) ? '[]\n' : '{}\n'
  }
}

function emitNumber(value: number): string {
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0' : String(value)
  const exact = integralAsInteger(value)
  return typeof exact === 'bigint' ? String(exact) : formatGoFloat(exact)
}

function emitText(output: Output, text: string, indent: number): void {
  const scalar = emitString(text, indent + 2)
  if ('inline' in scalar) {
    output.text += `${scalar.inline}\n`
    return
  }
  const margin = ' '.repeat(indent + 2)
  let block = `${scalar.header}\n`
  for (const line of scalar.lines) block += line === '' ? '\n' : `${margin}${line}\n`
  output.text += block
}

function isEmpty(collection: JsonValue[] | Manifest): boolean {
  return (Array.isArray(collection) ? collection : Object.keys(collection)).length === 0
}
