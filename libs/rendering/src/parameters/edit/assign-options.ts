import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { type Assignment, assignParameters } from '@wadi/plugins/parameters/assign-parameters.ts'
import type { Parameter, ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type { SourceOptions } from '../../source/source.ts'
import type { YamlChange } from '../yaml-edit/edit-yaml.ts'
import type { SourceOption } from './source-option.ts'

/** The parameters that users want to set and to remove. */
export interface ParameterChanges {
  readonly assignments: readonly Assignment[]
  /** Targets like those of assignments. */
  readonly removals: readonly string[]
}

/** Changes of a source's options, with the options that they concern: also those that are as wanted already. */
export interface OptionChanges {
  readonly changes: readonly YamlChange[]
  readonly paths: ReadonlyArray<readonly string[]>
}

/** Splits changes into those of options, which their names or parts of them name, and all others. */
export function splitChanges(
  table: readonly SourceOption[],
  { assignments, removals }: ParameterChanges,
): { ofOptions: ParameterChanges; others: ParameterChanges } {
  const isOption = (target: string, isWhole: boolean): boolean =>
    table.some(({ name, collection }) => {
      if (target === name) return true
      if (isWhole || !target.startsWith(name)) return false
      const rest = target.slice(name.length)
      return collection === 'array' ? /^\[\d+\]$/.test(rest) : collection === 'map' && rest.startsWith('.')
    })
  const assigned = Map.groupBy(assignments, ({ target, whole }) => isOption(target, whole !== undefined))
  const removed = Map.groupBy(removals, (target) => isOption(target, false))
  const part = (isOptions: boolean): ParameterChanges => ({
    assignments: assigned.get(isOptions) ?? [],
    removals: removed.get(isOptions) ?? [],
  })
  return { ofOptions: part(true), others: part(false) }
}

/**
 * Sets options of a source as if they were parameters of a plugin.
 * @throws InvalidInputError for a value that an option does not take, NotFoundError for removing what is not set
 */
export function assignOptions(
  table: readonly SourceOption[],
  options: SourceOptions,
  wanted: ParameterChanges,
): OptionChanges {
  const set = table.flatMap((option): Parameter[] => {
    const value = option.read(options)
    return value === undefined ? [] : [{ ...blank, name: option.name, ...fieldsOf(value) }]
  })
  const parameters = assignParameters(set, table.map(announced), wanted)
  const concerned = table.filter(({ name }) => {
    const targets = [...wanted.assignments.map(({ target }) => target), ...wanted.removals]
    return targets.some(
      (target) => target === name || target.startsWith(`${name}[`) || target.startsWith(`${name}.`),
    )
  })
  const changed = concerned.flatMap((option) => {
    const parameter = parameters.find(({ name }) => name === option.name)
    const value = parameter && valueOf(option, parameter)
    return isDeepStrictEqual(value, option.read(options)) ? [] : option.change(options, value)
  })
  return { changes: changed, paths: concerned.map(({ path }) => path) }
}

const blank = { group: '', form: 'flat', itemType: '', warnings: [] } as const

function fieldsOf(value: ParameterValue): Pick<Parameter, 'string' | 'array' | 'map'> {
  if (value.kind === 'string') return { string: value.text }
  return value.kind === 'array' ? { array: value.items } : { map: value.entries }
}

function valueOf({ name, collection }: SourceOption, parameter: Parameter): ParameterValue | undefined {
  const { string, array, map } = parameter
  const others = { string: array ?? map, array: string ?? map, map: string ?? array }
  if (others[collection] !== undefined) {
    const kinds = { string: 'a single value', array: 'a list', map: 'a map' }
    throw new InvalidInputError(`${name} takes ${kinds[collection]}`)
  }
  if (string !== undefined) return { kind: 'string', text: string }
  if (array !== undefined) return { kind: 'array', items: array }
  return map === undefined ? undefined : { kind: 'map', entries: map }
}

/** Returns the announcement of an option, without a default: the tool's own values are not part of the option. */
function announced({ name, collection, type }: SourceOption): Announcement {
  return announcementOf({ name, itemType: type, collectionType: collection })
}
