import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Returns a value changed by a JSON merge patch (RFC 7396): null removes, objects are merged, everything else replaces. */
export function mergePatched(value: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(value) ? { ...value } : {}
  for (const [field, change] of Object.entries(patch)) {
    if (change === null) delete result[field]
    else result[field] = mergePatched(result[field], change)
  }
  return result
}
