import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue, Manifest } from '@wadi/manifests/manifest.ts'
import { mayGoOn, type ObjectCheck } from '../object-check.ts'
import type { StructuralSchema } from './structural-schema.ts'

/**
 * Returns a value as the API server checks it: without the nulls that its schema does not accept, and with the defaults of what is
 * missing. Parts that do not change are those of the value.
 */
export function withDefaults(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  check: ObjectCheck,
): JsonValue {
  if (schema === undefined || !mayGoOn(check)) return value
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => withDefaults(item, items, check))
  }
  return isJsonObject(value) ? withDefaultFields(value, schema, check) : value
}

function withDefaultFields(value: Manifest, schema: StructuralSchema, check: ObjectCheck): Manifest {
  // Without a prototype, so that a field may have any name.
  const fields: Manifest = Object.create(null)
  for (const [field, item] of Object.entries(value)) {
    const known = fieldSchema(schema, field)
    if (item !== null || known === undefined || known.isNullable) {
      fields[field] = withDefaults(item, known, check)
    }
  }
  for (const [field, known] of schema.properties) {
    if (known.defaultValue === undefined || Object.hasOwn(fields, field)) continue
    fields[field] = withDefaults(known.defaultValue, known, check)
  }
  return fields
}

/** Returns the schema of a field; undefined for one that is unknown, or that may have any value. */
export function fieldSchema(
  { properties, others }: StructuralSchema,
  field: string,
): StructuralSchema | undefined {
  return properties.get(field) ?? (typeof others === 'object' ? others : undefined)
}
