import { isJsonObject } from '@wadi/fields/json-object.ts'
import { byKey } from '@wadi/order/by-name.ts'

/**
 * JSON with sorted keys, so that equal values give equal text. JSON has no bigint and an integer beyond 2^53 must not be
 * rounded: it is written as a string that ends with `n`.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`
    if (!isJsonObject(inner)) return inner
    return Object.fromEntries(Object.entries(inner).toSorted(byKey))
  })
}
