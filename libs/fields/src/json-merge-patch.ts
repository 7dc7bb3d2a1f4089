import { isJsonObject } from './json-object.ts'

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
