import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Marks the items of a list and the values of a map in the path of a field. */
const inside = '[]'

/** Returns the fields below a schema of OpenAPI, each as a path such as `status.groups[].phase`. */
export function schemaFields(schema: unknown): string[] {
  return fieldsBelow(schema, '')
}

/**
 * Returns those of some fields that a schema does not know, so that the API server drops them. Of fields within an unknown one, only that
 * one is named.
 */
export function droppedFields(schema: unknown, fields: readonly string[]): string[] {
  const dropped: string[] = []
  for (const field of fields) {
    const isWithin = dropped.some(
      (outer) => field.startsWith(`${outer}.`) || field.startsWith(outer + inside),
    )
    if (!isWithin && !keeps(schema, field.replaceAll(inside, `.${inside}`).split('.'))) dropped.push(field)
  }
  return dropped
}

function fieldsBelow(schema: unknown, place: string): string[] {
  if (!isJsonObject(schema)) return []
  const named = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return [
    ...named.flatMap(([name, field]) => {
      const path = place === '' ? name : `${place}.${name}`
      return [path, ...fieldsBelow(field, path)]
    }),
    ...fieldsBelow(inner(schema), place + inside),
  ]
}

function keeps(schema: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return schema !== undefined
  if (!isJsonObject(schema)) return false
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true
  const named = isJsonObject(schema['properties']) ? schema['properties'][name] : undefined
  return keeps(name === inside ? inner(schema) : named, rest)
}

/** The schema of the items of a list or of the values of a map. */
function inner({ items, additionalProperties }: Record<string, unknown>): unknown {
  return items ?? additionalProperties
}
