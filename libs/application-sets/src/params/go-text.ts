import { isJsonObject } from '@wadi/fields/json-object.ts'
import { formatGoFloat } from '@wadi/manifests/go-number.ts'
import { byBytes } from '@wadi/order/by-bytes.ts'

/**
 * A JSON value as Go's `%v` prints it: numbers are float64, so 1000000 is `1e+06`; `<nil>` for null, `[1 a]` for lists
 * and `map[a:q z:1]` with sorted keys for maps.
 */
export function goText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatGoFloat(value)
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isJsonObject(value)) return value === true ? 'true' : 'false'
  const keys = Object.keys(value).toSorted(byBytes)
  return `map[${keys.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}
