import { jsonText } from '@wadi/params/values/value-json.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, type ValueMap, isValueMap } from '@wadi/params/values/value.ts'
import { ExactNumber } from '../exact-number.ts'
import type { Parameter, ParameterValue } from './parameter.ts'
import { valueFields } from './with-defaults.ts'

/**
 * A map of values as parameters of the same names: a scalar becomes its text, a list of scalars an array, a map of scalars a
 * map, and everything deeper the text of its JSON.
 */
export function parametersOfValues(values: ValueMap): Parameter[] {
  return Array.from(values, ([name, value]) => ({
    name,
    group: '',
    ...valueFields(ofValue(value)),
    form: 'flat',
    itemType: '',
    warnings: [],
  }))
}

function ofValue(value: Value): ParameterValue {
  if (isList(value) && value.every(isScalar)) return { kind: 'array', items: value.map(scalarText) }
  if (isValueMap(value) && [...value.values()].every(isScalar)) {
    return { kind: 'map', entries: Array.from(value, ([key, member]) => [key, scalarText(member)]) }
  }
  return { kind: 'string', text: scalarText(value) }
}

function isScalar(value: Value): boolean {
  return !isList(value) && !isValueMap(value)
}

function scalarText(value: Value): string {
  return typeof value === 'string' ? value : jsonText(value)
}

/** A value as `readParameters` takes it: plain data in which every number is its text. */
export function exactValue(value: Value): unknown {
  if (isList(value)) return value.map(exactValue)
  if (isValueMap(value)) {
    return Object.fromEntries(Array.from(value, ([key, member]) => [key, exactValue(member)]))
  }
  return value === null || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : new ExactNumber(jsonText(value))
}
