import { goJsonObject, goJsonText, inKeyOrder } from '@wadi/manifests/go-json.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { Float, isValueMap } from '@wadi/params/values/value.ts'
import type { Value } from '@wadi/params/values/value.ts'

/** Returns the value as Go's encoding/json writes it: keys in the order of their bytes, `<`, `>` and `&` escaped, `1.0` as `1`. */
export function goJsonValue(value: Value): string {
  if (typeof value === 'string') return goJsonText(value)
  if (value instanceof Float) return String(value.value)
  if (isList(value)) return `[${value.map(goJsonValue).join(',')}]`
  if (isValueMap(value)) {
    return goJsonObject(inKeyOrder([...value]).map(([key, member]) => [key, goJsonValue(member)]))
  }
  return String(value)
}
