import { isJsonObject } from '@wadi/fields/json-object.ts'

/** Fields whose content is free, which Argo CD takes whole. */
const wholeFields = new Set(['valuesObject'])

/** A generator's template with everything that is empty in it (as Go sees it: false, 0 and "" too) from the set's own. */
export function mergeTemplates(
  own: Record<string, unknown>,
  base: Record<string, unknown>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(own))
  for (const [key, value] of Object.entries(base)) {
    const mine = merged.get(key)
    const isWhole = wholeFields.has(key) && isJsonObject(mine)
    if (isJsonObject(mine) && isJsonObject(value) && !isWhole) merged.set(key, mergeTemplates(mine, value))
    else if (isEmpty(mine) && !isWhole) merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) ? Object.keys(value).length === 0 : !value
}
