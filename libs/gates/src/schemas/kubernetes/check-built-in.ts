import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import {
  inside,
  isHidden,
  mayGoOn,
  type ObjectCheck,
  report,
  reportType,
  reportUnknown,
} from '../object-check.ts'
import type { BuiltInSchema, KubernetesSchemas } from './kubernetes-schemas.ts'
import { type Form, formOf } from './value-forms.ts'

/** The schemas that an object is checked by. */
export interface BuiltInSchemas {
  readonly definitions: KubernetesSchemas['definitions']
  /** The name of their version in messages. */
  readonly title: string
}

/**
 * Checks a value as the API server reads it into a Go type: null is the same as a missing field, and so is an empty string, list or
 * zero where the server requires one.
 */
export function checkBuiltIn(
  value: JsonValue,
  schema: BuiltInSchema,
  schemas: BuiltInSchemas,
  check: ObjectCheck,
): void {
  if (value === null || isHidden(value, check) || !mayGoOn(check)) return
  const form = schema.$ref === undefined ? undefined : formOf(schema.$ref)
  if (form !== undefined) return checkForm(value, form, check)
  const definition = schema.$ref === undefined ? schema : schemas.definitions[schema.$ref]
  if (definition === undefined) return
  const { type, items, properties, additionalProperties } = definition
  if (items !== undefined) checkItems(value, items, schemas, check)
  else if (properties !== undefined) checkFields(value, definition, schemas, check)
  else if (additionalProperties !== undefined) checkValues(value, additionalProperties, schemas, check)
  else if (type !== undefined) checkScalar(value, definition, check)
}

function checkItems(
  value: JsonValue,
  items: BuiltInSchema,
  schemas: BuiltInSchemas,
  check: ObjectCheck,
): void {
  if (!Array.isArray(value)) return reportType(check, 'a list', value)
  for (const [index, item] of value.entries()) {
    // A null is an item without fields.
    inside(check, index, () => checkBuiltIn(item ?? emptyItem(items), items, schemas, check))
  }
}

function emptyItem({ $ref }: BuiltInSchema): JsonValue {
  return $ref === undefined || formOf($ref) !== undefined ? null : {}
}

function checkValues(
  value: JsonValue,
  values: BuiltInSchema,
  schemas: BuiltInSchemas,
  check: ObjectCheck,
): void {
  if (!isJsonObject(value)) return reportType(check, 'an object', value)
  for (const key of Object.keys(value)) {
    inside(check, key, () => checkBuiltIn(value[key] ?? null, values, schemas, check))
  }
}

function checkFields(
  value: JsonValue,
  { properties = {}, required = [] }: BuiltInSchema,
  schemas: BuiltInSchemas,
  check: ObjectCheck,
): void {
  if (!isJsonObject(value)) return reportType(check, 'an object', value)
  for (const field of Object.keys(value)) {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
    if (schema === undefined) reportUnknown(check, field, Object.keys(properties), schemas.title)
    else inside(check, field, () => checkBuiltIn(value[field] ?? null, schema, schemas, check))
  }
  for (const field of required) {
    if (isEmpty(value, field)) report(check, 'required', 'is required', field)
  }
}

function isEmpty(value: Manifest, field: string): boolean {
  const found = Object.hasOwn(value, field) ? value[field] : undefined
  return found === undefined || found === null || found === '' || (Array.isArray(found) && found.length === 0)
}

function checkForm(value: JsonValue, { accepts, expected }: Form, check: ObjectCheck): void {
  if (!accepts(value)) report(check, 'wrong-type', `must be ${expected}`)
}

function checkScalar(value: JsonValue, schema: BuiltInSchema, check: ObjectCheck): void {
  const form = formOf(schema.format ?? '') ?? formOf(schema.type ?? '')
  if (form !== undefined) checkForm(value, form, check)
  if (typeof value === 'string' && schema.enum !== undefined && !schema.enum.includes(value)) {
    report(check, 'enum', `must be one of ${schema.enum.filter((one) => one !== '').join(', ')}`)
  }
}
