import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
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
  if (event.tagStart >= 0) return composeTagged(source, event, directives, kubernetesScalars)
  const text = scalarText(source, event)
  return event.style === SCALAR_STYLE.PLAIN ? readPlain(source, event, text) : text
}

function readPlain(source: YamlSource, event: ScalarEvent, text: string): ScalarValue {
  const value = resolvePlainScalar(text)
  if (value === text && text.length <= 5 && isNotFinite(text)) throw notFinite(source, event, text)
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
  if (value === null) throw invalidAt(source, eventOffset(event), 'a key must not be null')
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

/** Returns the error for an infinity or not-a-number. */
export function notFinite(source: YamlSource, event: ScalarEvent, text: string): InvalidInputError {
  const message = `${text} is a number that JSON cannot hold; quote it if it is a string`
  return invalidAt(source, eventOffset(event), message)
}

/** What scalars with a core tag mean. */
export interface TaggedScalars<Value> {
  /** The value of a scalar without quotes. */
  plain: (source: YamlSource, event: ScalarEvent, text: string) => Value
  /** By the name of a tag: the value that a plain scalar's value becomes, or undefined for one of another type. */
  conversions: ReadonlyMap<string, (value: Value) => Value | undefined>
}

/** Returns the value of a scalar with a tag. @throws InvalidInputError with the place where the text does not fit its tag */
export function composeTagged<Value>(
  source: YamlSource,
  event: ScalarEvent,
  directives: readonly DocumentDirective[],
  { plain, conversions }: TaggedScalars<Value>,
): Value | string {
  const text = scalarText(source, event)
  const rawTag = source.text.slice(event.tagStart, event.tagEnd)
  const tag = coreTagName(rawTag, directives)
  if (tag === 'binary') return decodeBinary(source, event, text)
  const convert = tag === undefined ? undefined : conversions.get(tag)
  if (convert === undefined) return text
  const value = convert(plain(source, event, text))
  if (value !== undefined) return value
  throw invalidAt(source, eventOffset(event), `cannot read ${JSON.stringify(text)} as ${rawTag}`)
}

function only(accepts: (value: ScalarValue) => boolean) {
  return (value: ScalarValue) => (accepts(value) ? value : undefined)
}

const kubernetesScalars: TaggedScalars<ScalarValue> = {
  plain: readPlain,
  conversions: new Map([
    ['null', only((value) => value === null)],
    ['bool', only((value) => typeof value === 'boolean')],
    ['int', only((value) => Number.isInteger(value) || typeof value === 'bigint')],
    ['float', only((value) => typeof value === 'number' || typeof value === 'bigint')],
  ]),
}

function decodeBinary(source: YamlSource, event: ScalarEvent, text: string): string {
  const encoded = text.replaceAll(/[\r\n]/g, '')
  if (encoded.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0)),
    )
  }
  throw invalidAt(source, eventOffset(event), 'the value of !!binary is not valid base64')
}
