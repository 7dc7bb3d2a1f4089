import { SCALAR_STYLE, getScalarValue } from 'js-yaml'
import type { DocumentDirective, ScalarEvent } from 'js-yaml'
import { numericKeyText } from './go-number.ts'
import { isNotFinite, resolvePlainScalar } from './go-scalar.ts'
import { coreTagName } from './yaml-tag.ts'
import { eventOffset, invalidAt } from './yaml-source.ts'
import type { YamlSource } from './yaml-source.ts'

type ScalarValue = null | boolean | number | bigint | string

/** Returns the value of a scalar as Kubernetes reads it, and its text. Throws InvalidInputError with file and line. */
export function composeScalar(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
): ScalarValue {
  const text = scalarText(source, event)
  if (event.tagStart >= 0) return composeTagged(source, event, text, directives)
  if (event.style !== SCALAR_STYLE.PLAIN) return text
  const value = resolvePlainScalar(text)
  if (value === text) rejectNotFinite(source, event, text)
  return value
}

/** Returns the key that a scalar stands for: JSON knows text alone, so other types are printed as Go prints them. */
export function composeKey(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
): string {
  const value = composeScalar(source, event, directives)
  if (typeof value === 'string') return value
  if (value === null) throw invalidAt(source, eventOffset(event), 'a mapping key must not be null')
  return typeof value === 'boolean' ? String(value) : numericKeyText(scalarText(source, event))
}

/** Returns whether a key is the merge key `<<`, which quotes would make an ordinary one. */
export function isMergeKey(source: YamlSource, event: ScalarEvent): boolean {
  if (event.valueEnd - event.valueStart !== 2 || event.style !== SCALAR_STYLE.PLAIN) return false
  if (!source.text.startsWith('<<', event.valueStart)) return false
  return event.tagStart < 0 || source.text.slice(event.tagStart, event.tagEnd) === '!!merge'
}

function scalarText(source: YamlSource, event: ScalarEvent): string {
  const text = getScalarValue(source.text, event)
  // Where YAML 1.1 breaks a line, Argo CD indents the next one.
  return event.style === SCALAR_STYLE.SINGLE_QUOTED && /[\u2028\u2029]/.test(text)
    ? text.replaceAll(/([\u2028\u2029]) +/g, '$1')
    : text
}

function rejectNotFinite(source: YamlSource, event: ScalarEvent, text: string): void {
  if (text.length > 5 || !isNotFinite(text)) return
  const message = `${text} is a number that JSON cannot hold; quote it if it is text`
  throw invalidAt(source, eventOffset(event), message)
}

function composeTagged(
  source: YamlSource,
  event: ScalarEvent,
  text: string,
  directives: readonly DocumentDirective[],
): ScalarValue {
  const rawTag = source.text.slice(event.tagStart, event.tagEnd)
  const tag = coreTagName(rawTag, directives)
  if (tag === 'binary') return decodeBinary(source, event, text)
  const accepts = tag === undefined ? undefined : acceptedTypes.get(tag)
  if (accepts === undefined) return text
  const value = resolvePlainScalar(text)
  if (value === text) rejectNotFinite(source, event, text)
  if (accepts(value)) return value
  throw invalidAt(source, eventOffset(event), `cannot read ${JSON.stringify(text)} as ${rawTag}`)
}

const acceptedTypes = new Map<string, (value: ScalarValue) => boolean>([
  ['null', (value) => value === null],
  ['bool', (value) => typeof value === 'boolean'],
  ['int', (value) => Number.isInteger(value) || typeof value === 'bigint'],
  ['float', (value) => typeof value === 'number' || typeof value === 'bigint'],
])

function decodeBinary(source: YamlSource, event: ScalarEvent, text: string): string {
  const encoded = text.replaceAll(/[\r\n]/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    return Buffer.from(encoded, 'base64').toString('utf8')
  }
  throw invalidAt(source, eventOffset(event), 'the value of !!binary is not valid base64')
}
