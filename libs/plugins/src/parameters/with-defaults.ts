import type { Layer } from '@wadi/params/resolve/layer.ts'
import { resolve } from '@wadi/params/resolve/resolve.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { Announcement } from '../announcements/announcement.ts'
import { finderOf } from '../announcements/same-parameter.ts'
import type { Parameter, ParameterValue } from './parameter.ts'
import { parameterValue, setValues, treeValue } from './tree-value.ts'

/**
 * The parameters with the announced defaults that the plugin is given: those of the proposal's `defaultValues`, with
 * `sendAll` those of every form. Defaults of parameters that are not set come first, so that a set value overrides any
 * of them; a map that is set gets the announced entries that it lacks.
 */
export function withDefaults(
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
  sendAll: boolean,
): Parameter[] {
  const { find } = finderOf(parameters)
  const sent = announcements.flatMap((announcement, index) => {
    const { default: value, sendDefault } = announcement
    if (value === undefined || !(sendAll || sendDefault)) return []
    return [{ key: String(index), announcement, value, parameter: find(announcement) }]
  })
  const { tree } = resolve(
    [
      layerOf(
        0,
        sent.map(({ key, value }) => [key, treeValue(value)]),
      ),
      layerOf(
        2,
        sent.flatMap(({ key, value, parameter }) => (parameter ? setEntry(key, parameter, value) : [])),
      ),
    ],
    'replace',
  )
  const defaults: Parameter[] = []
  const completed = new Map<Parameter, Parameter>()
  for (const { key, announcement, value, parameter } of sent) {
    const decided = (isValueMap(tree) ? parameterValue(tree.get(key)) : undefined) ?? value
    if (parameter === undefined) defaults.push(defaultParameter(announcement, decided))
    else completed.set(parameter, { ...parameter, ...valueFields(decided) })
  }
  return [...defaults, ...parameters.map((parameter) => completed.get(parameter) ?? parameter)]
}

/** Returns the values that a parameter sets of an announced one: a map with the announced entries that it lacks. */
function setEntry(key: string, parameter: Parameter, announced: ParameterValue): [string, Value][] {
  const { map } = parameter
  const values = setValues(parameter)
  if (map !== undefined && announced.kind === 'map') {
    return [[key, resolve([layerOf(0, announced.entries), layerOf(2, map)], 'replace').tree]]
  }
  // Of several kinds each stays as it is, and none is the announced one.
  return values.slice(0, 1).map((value) => [key, value])
}

function layerOf(rank: 0 | 2, entries: Iterable<readonly [string, Value]>): Layer {
  const tree = { value: new Map(entries), at: { file: '' } }
  return rank === 0
    ? { rank, owner: 'tool', kind: 'default', tree }
    : { rank, owner: 'developer', kind: 'value', tree }
}

function defaultParameter(announcement: Announcement, value: ParameterValue): Parameter {
  const { name, group, form, itemType } = announcement
  const isScalar = form === 'typed' && value.kind === 'string'
  return {
    name,
    group,
    ...valueFields(value),
    form: form === 'list' ? 'value' : form,
    itemType: isScalar && isScalarType(itemType) ? itemType : '',
    warnings: [],
  }
}

function isScalarType(type: string): type is 'string' | 'number' | 'boolean' {
  return type === 'string' || type === 'number' || type === 'boolean'
}

/** The field of a parameter that holds a value. */
export function valueFields(value: ParameterValue): Pick<Parameter, 'string' | 'array' | 'map'> {
  if (value.kind === 'string') return { string: value.text }
  return value.kind === 'array' ? { array: value.items } : { map: value.entries }
}
