import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { MapEntry, Parameter, ParameterValue } from './parameter.ts'

/** A parameter's value as one of a tree of values, in which every scalar is text. */
export function treeValue(value: ParameterValue): Value {
  if (value.kind === 'string') return value.text
  return value.kind === 'array' ? value.items : new Map(value.entries)
}

/** A value of a tree as one of a parameter; undefined for what {@link treeValue} never gives. */
export function parameterValue(value: Value | undefined): ParameterValue | undefined {
  if (typeof value === 'string') return { kind: 'string', text: value }
  if (isList(value)) return { kind: 'array', items: value.filter((item) => typeof item === 'string') }
  if (!isValueMap(value)) return undefined
  const entries = [...value].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { kind: 'map', entries: entries satisfies MapEntry[] }
}

/** Returns the values that a parameter sets in a tree; more than one when it sets several kinds of value at once. */
export function setValues({ string, array, map }: Parameter): Value[] {
  return [
    ...(string === undefined ? [] : [string]),
    ...(array === undefined ? [] : [array]),
    ...(map === undefined ? [] : [new Map(map)]),
  ]
}
