import { valueMessage } from '@wadi/plugins/announcements/announced-fields.ts'
import { isDeepStrictEqual } from 'node:util'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { announcementOf } from '@wadi/plugins/announcements/announcement-of.ts'
import type { Announcement } from '@wadi/plugins/announcements/announcement.ts'
import { assignParameters } from '@wadi/plugins/parameters/assign-parameters.ts'
import type { Parameter, ParameterValue } from '@wadi/plugins/parameters/parameter.ts'
import type { ParameterMessage } from '../describe/parameter-message.ts'
import type { ParameterChanges } from '../edit/assign-options.ts'
import { hideTexts } from '@wadi/params/explain/hidden-texts.ts'
import type { Value } from '@wadi/params/values/value.ts'
import { fits, formOf, shownValue, type ValueForm, writtenValue, yamlForm } from './value-text.ts'

/** A parameter whose value is in a file of its own, such as a value of a package or a parameter of a workload. */
export interface StoredParameter {
  readonly name: string
  readonly form: ValueForm
  readonly default: ParameterValue | undefined
  readonly value: ParameterValue | undefined
  /** Why it cannot be set; empty when it can. */
  readonly fixedBecause: string
  /** The rest of its presentation. */
  readonly shown: ParameterMessage
}

/** A value to store, or undefined for one to remove. */
export interface ValueChange {
  readonly name: string
  readonly value: JsonValue | undefined
}

/** Most changes of one call, for each of which a file is parsed. */
const maxChanges = 200

/** Describes a parameter by the values that a file and its tool have. */
export function storedParameter(
  name: string,
  values: { default: Value | undefined; value: Value | undefined; form?: ValueForm | undefined },
  shown: ParameterMessage,
  fixedBecause = '',
): StoredParameter {
  const given = [values.default, values.value].filter((value) => value !== undefined)
  const [first = ''] = given
  const natural = values.form ?? formOf(first)
  // A value of another shape than its default is shown as YAML.
  const form = given.every((value) => fits(value, natural)) ? natural : yamlForm
  const shownOf = (value: Value | undefined) => (value === undefined ? undefined : shownValue(value, form))
  return { name, form, default: shownOf(values.default), value: shownOf(values.value), fixedBecause, shown }
}

/** The same as it may be shown: without texts that are not. */
export function withHiddenTexts(parameter: StoredParameter, hidden: readonly string[]): StoredParameter {
  const { value } = parameter
  if (value === undefined || hidden.length === 0) return parameter
  return { ...parameter, value: hiddenParts(value, hideTexts(hidden)) }
}

function hiddenParts(value: ParameterValue, hide: (text: string) => string): ParameterValue {
  if (value.kind === 'string') return { ...value, text: hide(value.text) }
  if (value.kind === 'array') return { ...value, items: value.items.map(hide) }
  return { ...value, entries: value.entries.map(([key, text]) => [key, hide(text)]) }
}

/** The message that users get of a stored parameter. */
export function storedMessage({ name, form, value, ...rest }: StoredParameter): ParameterMessage {
  return {
    announced: true,
    ...rest.shown,
    name,
    type: rest.shown.type ?? form.type,
    collection: form.collection,
    fixedBecause: rest.fixedBecause,
    ...(rest.default && { default: valueMessage(rest.default) }),
    ...(value && { value: valueMessage(value) }),
  }
}

/**
 * The values that changes ask for, without those that are as wanted already.
 * @throws InvalidInputError for a value that does not fit and for a parameter that cannot be set, NotFoundError for removing what is not set
 */
export function valueChanges(known: readonly StoredParameter[], wanted: ParameterChanges): ValueChange[] {
  if (wanted.assignments.length + wanted.removals.length > maxChanges)
    throw new InvalidInputError(`more than ${maxChanges} parameters change at once; set fewer at a time`)
  const byName = new Map(known.map((parameter) => [parameter.name, parameter]))
  const set = known.flatMap(({ name, value }) => (value ? [parameterOf(name, value)] : []))
  const isPart = (target: string) => byName.has(target.replace(/\[\d+\]$/, ''))
  // A name that is not known is one as it is, dots included.
  const assignments = wanted.assignments.map((assignment) =>
    assignment.whole !== undefined || isPart(assignment.target)
      ? assignment
      : { ...assignment, whole: { kind: 'string', text: assignment.value } as const },
  )
  const after = assignParameters(set, known.map(announced), { ...wanted, assignments })
  const values = new Map(after.map((parameter) => [parameter.name, valueOf(parameter)]))
  const names = new Set([...set.map(({ name }) => name), ...values.keys()])
  return [...names].flatMap((name): ValueChange[] => {
    const parameter = byName.get(name)
    const value = values.get(name)
    if (isDeepStrictEqual(value, parameter?.value)) return []
    if (parameter !== undefined && parameter.fixedBecause !== '')
      throw new InvalidInputError(`${name} cannot be set: ${parameter.fixedBecause}`)
    return [{ name, value: value && writtenValue(name, value, parameter?.form) }]
  })
}

function parameterOf(name: string, value: ParameterValue): Parameter {
  const fields =
    value.kind === 'string' ? { string: value.text } : value.kind === 'array' ? { array: value.items } : {}
  return { name, group: '', form: 'flat', itemType: '', warnings: [], ...fields }
}

function valueOf({ string, array, map }: Parameter): ParameterValue | undefined {
  if (string !== undefined) return { kind: 'string', text: string }
  if (array !== undefined) return { kind: 'array', items: array }
  return map && { kind: 'map', entries: map }
}

function announced({ name, form, ...parameter }: StoredParameter): Announcement {
  return announcementOf({
    name,
    itemType: form.type,
    collectionType: form.collection,
    default: parameter.default,
  })
}
