import { shownValues } from '@wadi/resources/shown-object.ts'
import type { ParameterSet } from '@wadi/application-sets/params/parameter-set.ts'

/** Maximum length of the parameters of all elements of one answer together as JSON, in characters. */
const maxParameterText = 4 * 1024 * 1024

/** Returns what makes messages of the elements of one answer, without the passwords in addresses and the parameters that no longer fit. */
export function elementPrinter() {
  let left = maxParameterText
  return ({ origin, values }: ParameterSet) => {
    const length = JSON.stringify(values).length
    if (length > left) return { origin, truncated: true }
    left -= length
    return { origin, parameters: shownValues(values), truncated: false }
  }
}
