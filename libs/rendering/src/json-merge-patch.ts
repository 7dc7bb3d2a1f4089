/** Applies a JSON merge patch (RFC 7386): null removes, objects merge, everything else replaces. Neither argument is changed. */
export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, jsonMergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

/** Whether a JSON value is an object, so neither an array nor null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
