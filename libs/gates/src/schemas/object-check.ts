import { nearestName } from '@wadi/errors/nearest-name.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { jsonType } from '@wadi/fields/field-view.ts'
import { typeName } from '@wadi/fields/field-findings.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { Violation } from '../gate.ts'
import { isEncrypted } from '../sops.ts'

/** The rules of the gate. */
export const schemaRules = [
  'unknown-field',
  'wrong-type',
  'required',
  'enum',
  'value',
  'duplicate',
  'alternatives',
  'unknown-kind',
  'too-complex',
] as const

type SchemaRule = (typeof schemaRules)[number]

/** A violation of a schema. */
interface SchemaViolation extends Violation {
  readonly rule: SchemaRule
}

/** More would not be read by anybody. */
const maxViolations = 50
/** The largest definitions of public projects, as objects, need a tenth. */
const maxSteps = 500_000
const maxFieldLength = 300
const maxNames = 10

/** The check of one object: the place that it is at, and what it found. */
export interface ObjectCheck {
  /** The keys and indices that lead to the value that is checked. */
  readonly path: (string | number)[]
  readonly violations: SchemaViolation[]
  /** The number of findings after which the check ends. */
  readonly mostViolations: number
  /** The work that is left for the object. */
  readonly work: { steps: number }
  /** True if SOPS encrypted values of the object, of which no schema knows the type. */
  readonly hasEncrypted: boolean
}

/** Returns the check of an object that has not begun. */
export function beginCheck(hasEncrypted: boolean): ObjectCheck {
  const work = { steps: maxSteps }
  return { path: [], violations: [], mostViolations: maxViolations, work, hasEncrypted }
}

/** Returns the findings of a check that has ended. */
export function endCheck({ violations, work }: ObjectCheck): readonly SchemaViolation[] {
  if (work.steps >= 0) return violations
  const message = 'is checked only in part, as its schema is too complex for it'
  return [...violations, { rule: 'too-complex', field: 'spec', message, written: [] }]
}

/** Returns a check of the same value that ends with its first finding. */
export function tryCheck({ path, work, hasEncrypted }: ObjectCheck): ObjectCheck {
  return { path, violations: [], mostViolations: 1, work, hasEncrypted }
}

/** True if a value is encrypted, so that its schema cannot judge it. */
export function isHidden(value: JsonValue, { hasEncrypted }: ObjectCheck): boolean {
  return hasEncrypted && isEncrypted(value)
}

/** Runs a check of the value of a key. */
export function inside(check: ObjectCheck, key: string | number, run: () => void): void {
  check.path.push(key)
  run()
  check.path.pop()
}

/** Takes steps from the work that is left; false if there is none, or if enough was found. */
export function mayGoOn({ violations, mostViolations, work }: ObjectCheck, steps = 1): boolean {
  if (work.steps < 0 || violations.length >= mostViolations) return false
  work.steps -= steps
  return work.steps >= 0
}

/** Adds a finding about the value at the place of the check, or a field of it; none after the end of the work. */
export function report(check: ObjectCheck, rule: SchemaRule, message: string, field?: string): void {
  if (check.violations.length >= check.mostViolations || check.work.steps < 0) return
  const path = field === undefined ? check.path : [...check.path, field]
  const key = path.findLast((part) => typeof part === 'string')
  const written = key === undefined || rule === 'required' ? [] : [`${key}:`]
  check.violations.push({ rule, field: fieldPath(path), message, written })
}

/** Adds a finding about a field that nothing defines. */
export function reportUnknown(
  check: ObjectCheck,
  field: string,
  known: readonly string[],
  schema: string,
): void {
  const nearest = nearestName(field, known)
  const names = known.length === 0 ? 'it has none' : `expected one of ${someInLine(known, maxNames)}`
  const advice = nearest === undefined ? names : `did you mean ${nearest}?`
  report(check, 'unknown-field', `is an unknown field in ${schema}; ${advice}`, field)
}

/** Adds a finding about a value of another type. */
export function reportType(check: ObjectCheck, expected: string, value: JsonValue): void {
  report(check, 'wrong-type', `must be ${expected}, not ${typeName(jsonType(value))}`)
}

function fieldPath(path: readonly (string | number)[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text.replace(/^\./, '').slice(0, maxFieldLength)
}
