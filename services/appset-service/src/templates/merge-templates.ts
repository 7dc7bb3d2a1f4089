import { isRecord } from '@wadi/resources/object-checks.ts'

/** A generator's template with everything that is empty in it (as Go sees it: false, 0 and "" too) from the set's own. */
export function mergeTemplates(
  own: Record<string, unknown>,
  base: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...own }
  for (const [key, value] of Object.entries(base)) {
    const mine = merged[key]
    if (isRecord(mine) && isRecord(value)) merged[key] = mergeTemplates(mine, value)
    else if (isEmpty(mine)) merged[key] = value
  }
  return merged
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) ? Object.keys(value).length === 0 : !value
}
