import type { JsonValue } from '@wadi/manifests/manifest.ts'
import type { Parameter } from './parameter.ts'

/**
 * A parameter as Argo CD writes it, `{name, string|array|map}`, with its group if it has one. One that is written as
 * `{name, value}` stays so, as its plugin may look for `value`.
 */
export function parameterItem({ name, group, string, array, map, form }: Parameter): {
  [key: string]: JsonValue
} {
  return {
    name,
    ...(group !== '' && { group }),
    ...(string !== undefined && { [form === 'value' ? 'value' : 'string']: string }),
    ...(array !== undefined && { array: [...array] }),
    ...(map !== undefined && { map: Object.fromEntries(map) }),
  }
}
