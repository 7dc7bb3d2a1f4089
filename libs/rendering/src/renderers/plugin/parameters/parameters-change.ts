import { isDeepStrictEqual } from 'node:util'
import { parameterItem } from '@wadi/plugins/parameters/parameter-item.ts'
import type { Parameter } from '@wadi/plugins/parameters/parameter.ts'
import type { YamlChange } from '../../../parameters/yaml-edit/edit-yaml.ts'

/** The path of a plugin's parameters in the options of a source. */
export const parametersPath = ['plugin', 'parameters']

/** The change that makes a list of plugin parameters another one; parameters that are as before keep their text. */
export function parametersChange(before: readonly Parameter[], after: readonly Parameter[]): YamlChange {
  if (after.length === 0) return { path: parametersPath, value: undefined }
  let next = 0
  const items = after.map((parameter) => {
    const value = parameterItem(parameter)
    const beside = before[next]
    const isSame = beside !== undefined && isDeepStrictEqual(beside, parameter)
    const was = isSame ? next : before.indexOf(parameter, next)
    if (was >= 0) next = was + 1
    else if (beside?.name === parameter.name) next += 1
    return { was: was < 0 ? undefined : was, value }
  })
  return { path: parametersPath, items }
}
