import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { byKey } from '@wadi/order/by-name.ts'
import { inside, type ObjectCheck, report } from '../object-check.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** Finds the repetitions in a list whose `x-kubernetes-list-type` is `set` or `map`; each once. */
export function checkDuplicates(
  list: readonly JsonValue[],
  { listType, listKeys }: StructuralSchema,
  check: ObjectCheck,
): void {
  if (listType !== 'set' && listType !== 'map') return
  const times = new Map<string, number>()
  for (const [index, item] of list.entries()) {
    const key = JSON.stringify(listType === 'set' ? item : keysOf(item, listKeys), comparable)
    const before = times.get(key) ?? 0
    times.set(key, before + 1)
    if (before !== 1) continue
    const what = listType === 'set' ? 'an item' : `the ${listKeys.join(' and ')} of an item`
    inside(check, index, () => report(check, 'duplicate', `repeats ${what} before it`))
  }
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonValue {
  if (!isJsonObject(item)) return item
  return Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(item, key) ? [[key, item[key] ?? null] as const] : [])),
  )
}

function comparable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byKey)) : value
}
