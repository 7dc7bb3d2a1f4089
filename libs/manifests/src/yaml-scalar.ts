import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ScalarEvent } from './go-yaml/yaml-event.ts'
import { fitsInt64, integralAsInteger, isGoFloat, numericKeyText, parseGoInteger } from './go-number.ts'
import { isNotFinite, isTimestamp, resolvePlainScalar } from './go-scalar.ts'
import { invalidAt } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

type ScalarValue = null | boolean | number | bigint | string

/** Returns the value of a scalar as Kubernetes reads it. Throws InvalidInputError with file and line. */
export function composeScalar(source: YamlSource, event: ScalarEvent): ScalarValue {
  if (event.tag !== undefined) return composeTagged(source, event, kubernetesConversions)
  return event.style === 'plain' ? readPlain(source, event) : event.value
}

function readPlain(source: YamlSource, event: ScalarEvent): ScalarValue {
  const text = event.value
  if (isNotFinite(text)) throw notFinite(source, event, text)
  return resolvePlainScalar(text)
}

/** Returns the key that a scalar stands for: JSON knows text alone, so other types are printed as Go prints them. */
export function composeKey(source: YamlSource, event: ScalarEvent): string {
  const isNumber = event.tag === undefined ? event.style === 'plain' : event.tag === `${corePrefix}float`
  if (isNumber && isNotFinite(event.value)) return event.value.toLowerCase().replace('+', '')
  const value = composeScalar(source, event)
  if (typeof value === 'string') return value
  if (value === null) throw invalidAt(source, event.start, 'a key must not be null')
  if (typeof value === 'bigint' && !fitsInt64(value))
    throw invalidAt(source, event.start, 'a key must not be a number above 64 bits; put it in quotes')
  return typeof value === 'boolean' ? String(value) : numericKeyText(event.value)
}

/** Returns whether a key is the merge key `<<`, which quotes would make an ordinary one. */
export function isMergeKey({ value, tag, style }: ScalarEvent): boolean {
  if (value !== '<<') return false
  return tag === undefined ? style === 'plain' : tag === '!' || tag === `${corePrefix}merge`
}

/** Returns the error for an infinity or not-a-number. */
export function notFinite(source: YamlSource, event: ScalarEvent, text: string): InvalidInputError {
  const message = `${text} is a number that JSON cannot hold; quote it if it is a string`
  return invalidAt(source, event.start, message)
}

/** By the name of a tag: the value of a scalar with it, or undefined where the text does not fit. */
export type TagConversions<Value> = ReadonlyMap<
  string,
  (source: YamlSource, event: ScalarEvent) => Value | undefined
>

const corePrefix = 'tag:yaml.org,2002:'

/** Returns the value of a scalar with a tag. @throws InvalidInputError with the place where the text does not fit its tag */
export function composeTagged<Value>(
  source: YamlSource,
  event: ScalarEvent,
  conversions: TagConversions<Value>,
): Value | string {
  const { tag = '', value: text } = event
  const name = tag.startsWith(corePrefix) ? tag.slice(corePrefix.length) : ''
  if (name === 'binary') return decodeBinary(source, event)
  const convert = conversions.get(name)
  if (convert === undefined) return text
  const value = convert(source, event)
  if (value !== undefined) return value
  throw invalidAt(source, event.start, `cannot read ${JSON.stringify(text)} as !!${name}`)
}

const kubernetesConversions: TagConversions<ScalarValue> = new Map([
  ['null', (_, { value }) => (resolvePlainScalar(value) === null ? null : undefined)],
  ['bool', (_, { value }) => only('boolean', resolvePlainScalar(value))],
  ['int', (_, { value }) => parseGoInteger(value)],
  ['float', readFloat],
  ['timestamp', (_, { value }) => (isTimestamp(value) ? value : undefined)],
])

function only(type: 'boolean', value: ScalarValue): ScalarValue | undefined {
  return typeof value === type ? value : undefined
}

function readFloat(source: YamlSource, event: ScalarEvent): ScalarValue | undefined {
  const text = event.value
  if (isNotFinite(text)) throw notFinite(source, event, text)
  const integer = parseGoInteger(text)
  if (integer !== undefined)
    return fitsInt64(BigInt(integer)) ? integralAsInteger(Number(integer)) : undefined
  return isGoFloat(text) ? resolvePlainScalar(text) : undefined
}

function decodeBinary(source: YamlSource, event: ScalarEvent): string {
  const encoded = event.value.replaceAll(/[\r\n]/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    return atob(encoded).replaceAll(byteSequence, decodeBytes)
  }
  throw invalidAt(source, event.start, 'the value of !!binary is not valid base64')
}

/** A character in UTF-8, or a byte that is none. */
const byteSequence =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** Go replaces each byte that is not UTF-8. */
function decodeBytes(sequence: string): string {
  if (sequence.length === 1) return '\ufffd'
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(sequence, (byte) => byte.charCodeAt(0)),
  )
}
