import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Keywords of a schema whose values are not schemas. */
const values: readonly string[] = ['default', 'enum', 'example']

/** Returns a schema, or a part of a CustomResourceDefinition, without its descriptions: they are most of it and check nothing. */
export function withoutDescriptions(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutDescriptions)
  if (!isJsonObject(part)) return part
  const kept = Object.entries(part).flatMap(([key, value]) => {
    // One that is not a string is the schema of a property of that name.
    if (key === 'description' && typeof value === 'string') return []
    return [[key, values.includes(key) ? value : withoutDescriptions(value)]]
  })
  return Object.fromEntries(kept)
}
