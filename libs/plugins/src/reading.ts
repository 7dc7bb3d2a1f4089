import type { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import { fieldOfWrongType, unknownField } from '@wadi/fields/field-findings.ts'
import { findingsError, pathIn } from '@wadi/fields/field-places.ts'
import type { FieldPlaces } from '@wadi/fields/field-places.ts'
import { jsonType, jsonView } from '@wadi/fields/field-view.ts'
import type { FieldView, ValueType } from '@wadi/fields/field-view.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { ExactNumber } from './exact-number.ts'

/** A node that is being read, and where errors and warnings about it go. */
export interface Reading {
  readonly places: FieldPlaces
  /** Leads to the node, below the root of the places. */
  readonly path: readonly (string | number)[]
  /** Called with a warning, which names its field, and with the same after its place. */
  readonly onWarning: (message: string, placed: string) => void
}

/** Plain data whose numbers may be exact ones. */
const exactView: FieldView<unknown, Record<string, unknown>> = {
  ...jsonView,
  typeOf: (node) => (node instanceof ExactNumber ? 'number' : jsonType(node)),
  isObject: (node): node is Record<string, unknown> => isJsonObject(node) && !(node instanceof ExactNumber),
}

/** The reading of a node below. */
export function below(reading: Reading, ...steps: (string | number)[]): Reading {
  return { ...reading, path: [...reading.path, ...steps] }
}

/** The error for the node, with its place. */
export function rejection(reading: Reading, message: string): InvalidInputError {
  return errorAt(reading, aboutNode(reading, message))
}

/** Warns of something about the node that does not keep it from being used. */
export function warn(reading: Reading, message: string): void {
  warnWith(reading, aboutNode(reading, message))
}

function warnWith(reading: Reading, message: string): void {
  reading.onWarning(message, errorAt(reading, message).message)
}

function aboutNode({ places, path }: Reading, message: string): string {
  const field = pathIn(places, path)
  return field === '' ? message : `${field}: ${message}`
}

function errorAt({ places, path }: Reading, message: string): InvalidInputError {
  return findingsError([{ steps: path, path: pathIn(places, path), message }], places)
}

/** The fields of an object by their known names. */
export type Fields = ReadonlyMap<string, unknown>

/**
 * Returns the fields of an object that are known, as which Argo CD takes a name in another case too. Others cause a warning, but
 * for those of `silent`.
 *
 * @throws InvalidInputError for what is not an object.
 */
export function readFields(
  reading: Reading,
  value: unknown,
  known: readonly string[],
  silent: readonly string[] = [],
): Fields {
  const written = new Map(entriesOf(reading, value))
  const fields = new Map<string, unknown>()
  for (const [key, field] of written) {
    const name = known.includes(key) ? key : nearestName(key, known)
    const isOtherCase = name?.toLowerCase() === key.toLowerCase()
    const at = below(reading, key)
    if (name === key) fields.set(key, field)
    else if (silent.includes(key)) continue
    else if (name !== undefined && isOtherCase && !written.has(name)) {
      fields.set(name, field)
      warn(at, `is read as "${name}"; write it so`)
    } else warnWith(at, unknownField(pathIn(at.places, at.path), key, known))
  }
  return fields
}

/**
 * Returns the entries of an object; none for null.
 *
 * @throws InvalidInputError for what is not an object.
 */
export function entriesOf(reading: Reading, value: unknown): [string, unknown][] {
  if (isAbsent(value)) return []
  if (!isObjectNode(value)) throw wrongTypeOf(reading, 'object', value)
  return Object.entries(value)
}

/**
 * Returns the items of a list; none for null.
 *
 * @throws InvalidInputError for what is not a list.
 */
export function itemsOf(reading: Reading, value: unknown): readonly unknown[] {
  if (isAbsent(value)) return []
  const items = exactView.itemsOf(value)
  if (items === undefined) throw wrongTypeOf(reading, 'list', value)
  return items
}

/** True if a field is missing, or null. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** True if a node is an object: neither a list nor a scalar, such as an exact number. */
export function isObjectNode(value: unknown): value is Record<string, unknown> {
  return exactView.isObject(value)
}

/** The error for a node of another type than it must be. */
export function wrongTypeOf(reading: Reading, wanted: ValueType, value: unknown): InvalidInputError {
  const { places, path } = reading
  return errorAt(reading, fieldOfWrongType(pathIn(places, path), wanted, typeOf(value)))
}

/** The type of a node. */
export function typeOf(value: unknown): ValueType {
  return exactView.typeOf(value)
}
