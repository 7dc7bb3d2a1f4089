import { isDeepStrictEqual } from 'node:util'
import { jsonType } from '@wadi/fields/field-view.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { inside, isHidden, mayGoOn, type ObjectCheck, report, reportType, tryCheck } from '../object-check.ts'
import { checkNumber, checkString } from './check-scalar.ts'
import { checkDuplicates } from './check-duplicates.ts'
import { fieldSchema } from './default-values.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** The names of JSON types with their articles. */
const typeNames = new Map([
  ['array', 'a list'],
  ['object', 'an object'],
  ['string', 'a string'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['number', 'a number'],
])

/**
 * Checks a value by the schema of a custom resource, as the validation of k8s.io/kube-openapi does.
 * @param value with its defaults
 * @param minorVersion of Kubernetes 1, as some formats are newer than others
 */
export function checkStructural(
  value: JsonValue,
  schema: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  if (isHidden(value, check) || !mayGoOn(check)) return
  const isOfType = checkType(value, schema, check)
  checkEnumeration(value, schema, check)
  if (value === null) return
  checkAlternatives(value, schema, minorVersion, check)
  if (!isOfType) return
  if (typeof value === 'string') checkString(value, schema, minorVersion, check)
  else if (typeof value === 'number' || typeof value === 'bigint') {
    checkNumber(value, schema, minorVersion, check)
  } else if (Array.isArray(value)) checkList(value, schema, minorVersion, check)
  else if (isJsonObject(value)) checkObject(value, schema, minorVersion, check)
}

function checkType(value: JsonValue, { types, isNullable }: StructuralSchema, check: ObjectCheck): boolean {
  if (types.length === 0 || (value === null ? isNullable : types.some((type) => isOf(type, value))))
    return true
  reportType(check, types.map((type) => typeNames.get(type) ?? type).join(' or '), value)
  return false
}

function isOf(type: string, value: JsonValue): boolean {
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value)
  const found = jsonType(value)
  return found === 'list' ? type === 'array' : type === found
}

function checkEnumeration(value: JsonValue, { enumeration }: StructuralSchema, check: ObjectCheck): void {
  if (enumeration.length === 0 || enumeration.some((one) => isDeepStrictEqual(one, value))) return
  report(check, 'enum', `must be one of ${enumeration.map(shown).slice(0, 20).join(', ')}`)
}

function shown(value: JsonValue): string {
  return isJsonObject(value) || Array.isArray(value) ? typeof value : String(value).slice(0, 100)
}

function checkAlternatives(
  value: JsonValue,
  { allOf, anyOf, oneOf, not }: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  const failuresOf = (schema: StructuralSchema): ObjectCheck['violations'] => {
    const trial = tryCheck(check)
    checkStructural(value, schema, minorVersion, trial)
    return trial.violations
  }
  for (const schema of allOf) checkStructural(value, schema, minorVersion, check)
  reportFailed(anyOf.map(failuresOf), (valid) => valid > 0, 'at least one', check)
  reportFailed(oneOf.map(failuresOf), (valid) => valid === 1, 'exactly one', check)
  if (not !== undefined && failuresOf(not).length === 0) {
    report(check, 'alternatives', 'must not match the schema in `not`')
  }
}

function reportFailed(
  failures: readonly ObjectCheck['violations'][],
  isEnough: (valid: number) => boolean,
  number: string,
  check: ObjectCheck,
): void {
  const valid = failures.filter(({ length }) => length === 0).length
  if (failures.length === 0 || isEnough(valid)) return
  const [nearest] = failures.flat()
  const hint =
    valid > 0 || nearest === undefined ? '' : `; for the first, ${nearest.field} ${nearest.message}`
  report(check, 'alternatives', `must match ${number} of the ${failures.length} alternatives${hint}`)
}

function checkList(
  value: JsonValue[],
  schema: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  const { items, limits } = schema
  reportOutside(value.length, limits.minItems, limits.maxItems, 'items', check)
  checkDuplicates(value, schema, check)
  if (items === undefined) return
  for (const [index, item] of value.entries()) {
    inside(check, index, () => checkStructural(item, items, minorVersion, check))
  }
}

function checkObject(
  value: Manifest,
  schema: StructuralSchema,
  minorVersion: number,
  check: ObjectCheck,
): void {
  const { limits, required } = schema
  const fields = Object.entries(value)
  reportOutside(fields.length, limits.minProperties, limits.maxProperties, 'fields', check)
  for (const field of required) {
    if (!Object.hasOwn(value, field)) report(check, 'required', 'is required', field)
  }
  for (const [field, item] of fields) {
    const known = fieldSchema(schema, field)
    if (known !== undefined) inside(check, field, () => checkStructural(item, known, minorVersion, check))
  }
}

function reportOutside(
  count: number,
  least: number | undefined,
  most: number | undefined,
  what: string,
  check: ObjectCheck,
): void {
  if (least !== undefined && count < least) report(check, 'value', `must have at least ${least} ${what}`)
  if (most !== undefined && count > most) report(check, 'value', `must have at most ${most} ${what}`)
}
