import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import { isRecord } from './object-checks.ts'

const maxFaults = 20

/** Reads the fields of one object and gathers what is wrong with them, to be told at once. */
export class FieldReader {
  readonly #subject: string
  readonly #faults: string[] = []

  constructor(subject: string) {
    this.#subject = subject
  }

  /** Notes a fault; the message names its field. */
  fault(message: string): void {
    this.#faults.push(message)
  }

  /** Returns a text field, undefined when it is missing or null; anything else is a fault. `at` is the path before. */
  text(fields: Record<string, unknown>, field: string, at: string): string | undefined {
    const value = fields[field] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    this.fault(`${at}${field} has to be a text`)
    return undefined
  }

  /** Returns a text field that has to be there and not empty, as the empty text when it is not. */
  requiredText(fields: Record<string, unknown>, field: string, at: string): string {
    const faultsBefore = this.#faults.length
    const value = this.text(fields, field, at) ?? ''
    if (value === '' && this.#faults.length === faultsBefore) this.fault(`${at}${field} is required`)
    return value
  }

  /** Returns a field that is a map, undefined when it is missing or null; anything else is a fault. */
  map(fields: Record<string, unknown>, field: string, at: string): Record<string, unknown> | undefined {
    const value = fields[field] ?? undefined
    if (value === undefined || isRecord(value)) return value
    this.fault(`${at}${field} has to be a map`)
    return undefined
  }

  /** Returns a field that is a list, empty when it is missing or null; anything else is a fault. */
  list(fields: Record<string, unknown>, field: string, at: string): readonly unknown[] {
    const value = fields[field] ?? []
    if (Array.isArray(value)) return value
    this.fault(`${at}${field} has to be a list`)
    return []
  }

  /** Returns a list of texts, with a fault for every item that is none. */
  texts(fields: Record<string, unknown>, field: string, at: string): string[] {
    return this.list(fields, field, at).filter((item, index): item is string => {
      if (typeof item === 'string') return true
      this.fault(`${at}${field}[${index}] has to be a text`)
      return false
    })
  }

  /**
   * @param separator stands between the faults: a line feed where people read many of them.
   * @throws InvalidInputError with the first 20 faults noted so far.
   */
  throwFaults(separator: '; ' | '\n' = '; '): void {
    if (this.#faults.length === 0) return
    const reason = someOf(this.#faults, maxFaults).join(separator)
    throw new InvalidInputError(reason, { context: [this.#subject] })
  }
}

type Defined<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }

/** Returns the fields without those that are undefined. */
export function withoutUndefined<Fields extends Record<string, unknown>>(fields: Fields): Defined<Fields> {
  const defined: Defined<Fields> = {}
  for (const field in fields) {
    const value = fields[field]
    if (isDefined(value)) defined[field] = value
  }
  return defined
}

function isDefined<Value>(value: Value): value is Exclude<Value, undefined> {
  return value !== undefined
}
