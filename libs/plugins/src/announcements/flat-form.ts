import type { ParameterValue } from '../parameters/parameter.ts'
import { type Fields, type Reading, below, isAbsent, rejection, warn } from '../reading.ts'
import { readArray, readMap } from '../values/collections.ts'
import { readText, warnOfScalar } from '../values/scalar.ts'
import { type TypedValue, isTextOf } from '../values/typed-value.ts'
import type { AnnouncedDefault } from './announcement.ts'

const kinds = ['string', 'array', 'map'] as const
type Kind = (typeof kinds)[number]

/**
 * Reads Argo CD's `{itemType, collectionType, string, array, map}`. Input that only Argo CD tolerates gives a warning.
 *
 * @throws InvalidInputError when several defaults are set and no collection type selects one.
 */
export function readFlatDefault(reading: Reading, fields: Fields, declaredType: string): AnnouncedDefault {
  const set = kinds.filter((kind) => !isAbsent(fields.get(kind)))
  const empty = kinds.filter((kind) => kind !== 'string' && fields.get(kind) === null)
  const present = set.length > 0 ? set : empty
  const declared = declaredKind(reading, fields)
  if (declared === undefined && present.length > 1) {
    throw rejection(reading, `sets ${present.join(' and ')}; keep one, or choose one with collectionType`)
  }
  const collectionType = declared ?? present[0] ?? 'string'
  for (const other of set) {
    if (other === collectionType || isEmpty(fields.get(other))) continue
    warn(below(reading, other), `is dropped: collectionType is "${collectionType}"`)
  }
  return {
    form: 'flat',
    itemType: declaredType,
    collectionType,
    default: present.includes(collectionType)
      ? readValue(below(reading, collectionType), fields.get(collectionType), collectionType, declaredType)
      : undefined,
    sendDefault: false,
  }
}

function declaredKind(reading: Reading, fields: Fields): Kind | undefined {
  const declared = readText(below(reading, 'collectionType'), fields.get('collectionType'))
  const kind = kinds.find((name) => name === declared)
  if (declared !== '' && kind === undefined) {
    const message = `${JSON.stringify(declared)} is none of "string", "array" and "map", and is ignored`
    warn(below(reading, 'collectionType'), message)
  }
  return kind
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

function readValue(reading: Reading, value: unknown, kind: Kind, declaredType: string): ParameterValue {
  if (kind === 'string') {
    const text = readText(reading, value)
    warnOfType(reading, text, declaredType)
    return { kind, text }
  }
  if (kind === 'array') {
    const items = readArray(reading, value).map((item, index) =>
      flatText(below(reading, index), item, declaredType),
    )
    return { kind, items }
  }
  const entries = [...readMap(reading, value)].map(
    ([key, item]) => [key, flatText(below(reading, key), item, declaredType)] as const,
  )
  return { kind, entries }
}

function flatText(reading: Reading, value: TypedValue, declaredType: string): string {
  if (value.type !== '') warnOfScalar(reading, value.type, value.written)
  warnOfType(reading, value.written, declaredType)
  return value.written
}

function warnOfType(reading: Reading, text: string, declaredType: string): void {
  if (!isTextOf(declaredType, text)) {
    warn(reading, `${JSON.stringify(text)} is not a ${declaredType}, the declared itemType`)
  }
}
