import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { nearestName } from '@wadi/errors/nearest-name.ts'
import { wrongType } from '@wadi/fields/field-findings.ts'
import { jsonType } from '@wadi/fields/field-view.ts'
import type { ValueType } from '@wadi/fields/field-view.ts'
import { ExactNumber } from './exact-number.ts'

/** Where a node is, below the value that is read. */
type Path = readonly (string | number)[]

/** A node that is being read, and where what is to say about it goes. */
export interface Reading {
  /** The place of a path in what users know, for example `file:line`. */
  readonly at: (path: readonly PropertyKey[]) => string
  /** What the value at the root is called in messages. */
  readonly root: string
  readonly path: Path
  /** Takes a warning: its place, the path to the node as text, and what is to say. */
  readonly warned: (place: string, node: string, message: string) => void
}

/** The reading of a node below. */
export function below(reading: Reading, ...steps: (string | number)[]): Reading {
  return { ...reading, path: [...reading.path, ...steps] }
}

/** The error for the node, with its place. */
export function rejection(reading: Reading, message: string): InvalidInputError {
  const node = nodeText(reading)
  return new InvalidInputError(`${reading.at(reading.path)}: ${node === '' ? '' : `${node}: `}${message}`)
}

/** Says something about the node that does not keep it from being used. */
export function warn(reading: Reading, message: string): void {
  reading.warned(reading.at(reading.path), nodeText(reading), message)
}

function nodeText({ root, path }: Reading): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
  })
  return `${root}${steps.join('')}`.replace(/^\./, '')
}

/** The fields of a mapping by their known names. */
export type Fields = ReadonlyMap<string, unknown>

/**
 * The fields of a mapping that are known; Argo CD takes a name in other case too. Of others there is a warning, but for those of `silent`.
 *
 * @throws InvalidInputError for what is no mapping.
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
    if (name === key) fields.set(key, field)
    else if (silent.includes(key)) continue
    else if (name !== undefined && isOtherCase && !written.has(name)) {
      fields.set(name, field)
      warn(below(reading, key), `is read as "${name}"; write it so`)
    } else {
      const advice = name === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${name}?`
      warn(below(reading, key), `unknown field is ignored; ${advice}`)
    }
  }
  return fields
}

/**
 * The entries of a mapping; none for null.
 *
 * @throws InvalidInputError for what is no mapping.
 */
export function entriesOf(reading: Reading, value: unknown): [string, unknown][] {
  if (isAbsent(value)) return []
  if (!isObjectNode(value)) throw wrongTypeOf(reading, 'object', value)
  return Object.entries(value)
}

/**
 * The items of a list; none for null.
 *
 * @throws InvalidInputError for what is no list.
 */
export function itemsOf(reading: Reading, value: unknown): readonly unknown[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw wrongTypeOf(reading, 'list', value)
  return value
}

/** Whether a field says nothing: it is not there, or null. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** Whether a node is an object: neither a list nor a scalar, which an exact number is too. */
export function isObjectNode(value: unknown): value is object {
  return typeOf(value) === 'object'
}

/** The error for a node of another type than it must be. */
export function wrongTypeOf(reading: Reading, wanted: ValueType, value: unknown): InvalidInputError {
  const message = `${nodeText(reading)} ${wrongType(wanted, typeOf(value))}`.trimStart()
  return new InvalidInputError(`${reading.at(reading.path)}: ${message}`)
}

/** The type of a node. */
export function typeOf(value: unknown): ValueType {
  return value instanceof ExactNumber ? 'number' : jsonType(value)
}
