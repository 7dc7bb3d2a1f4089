import { inKeyOrder } from '@wadi/manifests/go-json.ts'
import type { Parameter } from './parameter.ts'

/** A variable that carries a parameter's value. */
export interface ParameterVariable {
  readonly name: string
  readonly value: string
}

/**
 * The variables `PARAM_<name>`, `PARAM_<name>_<index>` and `PARAM_<name>_<key>` of Argo CD. Of several with one name the
 * last one applies; within a map, where Argo CD leaves it to chance, that is the one with the last key.
 */
export function prefixedVariables(parameters: readonly Parameter[]): ParameterVariable[] {
  return parameters.flatMap((parameter) =>
    valuesOf(parameter).map(([suffix, value]) => ({
      name: escaped(`PARAM_${parameter.name}${suffix}`),
      value,
    })),
  )
}

/**
 * The proposal's variables `<name>` and, for parameters of a group, `<group>_<name>`, with the index or key of items. Of
 * several with one name the last one applies.
 */
export function unprefixedVariables(parameters: readonly Parameter[]): ParameterVariable[] {
  return parameters.flatMap((parameter) => {
    const { name, group } = parameter
    const base = group === '' || group === 'main' ? name : `${group}_${name}`
    return valuesOf(parameter).map(([suffix, value]) => ({
      name: escaped(`${base}${suffix}`).replace(/^(?=\d)/, '_'),
      value,
    }))
  })
}

/** Returns the suffix after the parameter's name and the value of each entry. An entry without a key has no name of its own. */
function valuesOf({ string, array = [], map = [] }: Parameter): [suffix: string, value: string][] {
  const single: [string, string][] = string === undefined ? [] : [['', string]]
  const entries = inKeyOrder(map).filter(([key]) => key !== '')
  return [
    ...single,
    ...entries.map(([key, value]): [string, string] => [`_${key}`, value]),
    ...array.map((value, index): [string, string] => [`_${index}`, value]),
  ]
}

/** Upper case, and `_` for all but letters, digits and `_` of ASCII. */
function escaped(text: string): string {
  return Array.from(text, upperCase)
    .join('')
    .replaceAll(/[^A-Z0-9_]/gu, '_')
}

/** As in Go, one character stays one: `ß` has no upper case. */
function upperCase(character: string): string {
  const upper = character.toUpperCase()
  return Array.from(upper).length === 1 ? upper : character
}
