import type { Announcement } from '../announcements/announcement.ts'
import { finderOf } from '../announcements/same-parameter.ts'
import type { MapEntry, Parameter, ParameterValue } from './parameter.ts'

/**
 * The parameters with the announced defaults that the plugin is given: those of the proposal's `defaultValues`, with
 * `sendAll` those of every form. Defaults of parameters that are not set come first, so that a set value counts over any
 * of them; a map that is set gets the announced entries that it lacks.
 */
export function withDefaults(
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
  sendAll: boolean,
): Parameter[] {
  const defaults: Parameter[] = []
  const completed = new Map<Parameter, Parameter>()
  const { find } = finderOf(parameters)
  for (const announcement of announcements) {
    if (announcement.default === undefined || !(sendAll || announcement.sendDefault)) continue
    const parameter = find(announcement)
    if (parameter === undefined) defaults.push(defaultParameter(announcement, announcement.default))
    else completed.set(parameter, completedParameter(parameter, announcement.default))
  }
  return [...defaults, ...parameters.map((parameter) => completed.get(parameter) ?? parameter)]
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

function completedParameter(parameter: Parameter, value: ParameterValue): Parameter {
  const { string, array, map } = parameter
  if (string === undefined && array === undefined && map === undefined) {
    return { ...parameter, ...valueFields(value) }
  }
  if (map === undefined || value.kind !== 'map') return parameter
  const entries = new Map<string, string>([...value.entries, ...map])
  return { ...parameter, map: [...entries] satisfies MapEntry[] }
}
