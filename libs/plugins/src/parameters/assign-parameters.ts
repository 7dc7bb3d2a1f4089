import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '../announcements/announcement.ts'
import { isTextOf } from '../values/typed-value.ts'
import type { Parameter, ParameterValue } from './parameter.ts'
import { type ParameterTarget, parameterTarget } from './parameter-target.ts'
import { removeParameters } from './remove-parameters.ts'
import { valueFields } from './with-defaults.ts'

/** A new value of a parameter or of one item of it. */
export interface Assignment {
  /** `name`, `list[0]` or `map.key`; the name as it is when `whole` is given. */
  readonly target: string
  /** The value of the target; not looked at when `whole` is given. */
  readonly value: string
  /** Replaces all of the parameter. */
  readonly whole?: ParameterValue
}

/**
 * The parameters after removals and then assignments. A list without a value begins as its announced default; of a map the
 * assigned entries alone are set.
 *
 * @throws InvalidInputError for a target or value that is not possible.
 * @throws NotFoundError for removing what is not set.
 */
export function assignParameters(
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
  changes: { readonly assignments: readonly Assignment[]; readonly removals: readonly string[] },
): Parameter[] {
  let result = removeParameters(parameters, announcements, changes.removals)
  for (const assignment of changes.assignments) {
    rejectNul(assignment)
    const target =
      assignment.whole === undefined
        ? parameterTarget(assignment.target, result, announcements)
        : wholeTarget(assignment.target, announcements)
    result = replaced(result, target, (current) => assigned(current, target, assignment))
  }
  return result
}

function rejectNul(assignment: Assignment): void {
  if (holdsNul(Object.values(assignment))) {
    throw new InvalidInputError(
      `the value of ${JSON.stringify(assignment.target)} holds a NUL character, which no variable can; remove it`,
    )
  }
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsNul)
  return typeof value === 'string' && value.includes('\0')
}

function wholeTarget(name: string, announcements: readonly Announcement[]): ParameterTarget {
  if (name === '') throw new InvalidInputError('a parameter needs a name')
  const announcement = announcements.find((candidate) => candidate.name === name)
  return { name, announcement, part: { of: 'all' } }
}

/** Plugins use the last of several parameters with one name, so it is the one that changes. */
function replaced(
  parameters: readonly Parameter[],
  { name, announcement }: ParameterTarget,
  change: (current: Parameter) => Parameter,
): Parameter[] {
  const index = parameters.findLastIndex((parameter) => parameter.name === name)
  const current = parameters[index]
  if (current !== undefined) return parameters.with(index, change(current))
  const group = announcement?.group ?? ''
  return [...parameters, change({ name, group, form: 'flat', itemType: '', warnings: [] })]
}

function assigned(current: Parameter, target: ParameterTarget, assignment: Assignment): Parameter {
  const { part, announcement } = target
  if (assignment.whole !== undefined) return withWhole(current, assignment.whole)
  if (part.of === 'list') return withItem(current, part.index, assignment.value, announcement)
  if (part.of === 'map') {
    const entries = new Map([...(current.map ?? []), [part.key, assignment.value] as const])
    return { ...current, map: [...entries] }
  }
  rejectCollection(current, announcement)
  return withText(current, assignment.value)
}

function withWhole(current: Parameter, value: ParameterValue): Parameter {
  const { name, group, form, itemType } = current
  const bare: Parameter = { name, group, form, itemType, warnings: [] }
  return value.kind === 'string'
    ? withText(bare, value.text)
    : { ...bare, ...valueFields(value), itemType: '' }
}

/** A text that is not of the parameter's type makes it a plain one. */
function withText(current: Parameter, text: string): Parameter {
  const isTyped = isTextOf(current.itemType, text)
  return { ...current, string: text, ...(isTyped ? {} : { form: 'flat', itemType: '' }) }
}

function withItem(
  current: Parameter,
  index: number,
  value: string,
  announcement: Announcement | undefined,
): Parameter {
  const items = listOf(current, announcement)
  if (index > items.length) {
    throw new InvalidInputError(
      `${current.name}[${index}] is past the end: the list has ${items.length} items, so [${items.length}] adds one`,
    )
  }
  return { ...current, array: [...items.slice(0, index), value, ...items.slice(index + 1)] }
}

/** The items of a list as it is in effect now. */
function listOf(current: Parameter, announcement: Announcement | undefined): readonly string[] {
  const announced = announcement?.default
  return current.array ?? (announced?.kind === 'array' ? announced.items : [])
}

function rejectCollection(current: Parameter, announcement: Announcement | undefined): void {
  const { name, string, array, map } = current
  const isList = announcement ? announcement.collectionType === 'array' : array !== undefined
  const isMap = announcement ? announcement.collectionType === 'map' : map !== undefined
  if (announcement === undefined && string !== undefined) return
  if (isList) throw new InvalidInputError(`${name} is a list; set an item of it, like ${name}[0]`)
  if (isMap) throw new InvalidInputError(`${name} is a map; set an entry of it, like ${name}.key`)
}
