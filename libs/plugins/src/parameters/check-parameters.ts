import type { Announcement } from '../announcements/announcement.ts'
import { finderOf } from '../announcements/same-parameter.ts'
import { isTextOf } from '../values/typed-value.ts'
import type { Parameter } from './parameter.ts'

/** A problem of a parameter. */
export interface ParameterProblem {
  readonly name: string
  /** A sentence for users that names the value. */
  readonly message: string
}

const kinds = ['string', 'array', 'map'] as const
const kindNames = { string: 'a single value', array: 'a list', map: 'a map' } as const

const scalarTypes = ['string', 'number', 'boolean']

/**
 * Returns the problems of parameters by their announcements: missing required ones, values of the wrong kind or type,
 * and values that are not among the choices. A parameter that is not announced is only checked by itself: the plugin
 * ignores it.
 */
export function checkParameters(
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
): ParameterProblem[] {
  const problems: ParameterProblem[] = []
  const set = finderOf(parameters.filter((parameter) => kindsOf(parameter).length > 0))
  const announced = finderOf(announcements)
  for (const announcement of announcements) {
    if (announcement.required && announcement.default === undefined && set.find(announcement) === undefined) {
      problems.push({ name: announcement.name, message: 'is required; set it' })
    }
  }
  for (const parameter of parameters) {
    const announcement = announced.find(parameter)
    const errors = announcement ? announcedErrors(parameter, announcement) : []
    const messages = [...ownErrors(parameter), ...errors]
    problems.push(...messages.map((message) => ({ name: parameter.name, message })))
  }
  return problems
}

function kindsOf(parameter: Parameter): (typeof kinds)[number][] {
  return kinds.filter((kind) => parameter[kind] !== undefined)
}

function ownErrors(parameter: Parameter): string[] {
  const set = kindsOf(parameter).map((kind) => kindNames[kind])
  const errors = set.length > 1 ? [`sets ${set.join(' and ')}; keep one`] : []
  const hasEmptyKey = parameter.map?.some(([key]) => key === '') ?? false
  return hasEmptyKey ? [...errors, 'has an entry with an empty name; name it'] : errors
}

function announcedErrors(parameter: Parameter, announcement: Announcement): string[] {
  const wrongKind = kindsOf(parameter).find((kind) => kind !== announcement.collectionType)
  if (wrongKind !== undefined) {
    return [`takes ${kindNames[announcement.collectionType]}, not ${kindNames[wrongKind]}`]
  }
  const errors = textsOf(parameter).flatMap((text) => textErrors(text, announcement))
  if (errors.length > 0) return errors
  const [set, announced] = [parameter.itemType, announcement.itemType]
  const isOtherType = set !== '' && set !== announced && scalarTypes.includes(announced)
  return isOtherType && restricts(announcement) ? [`is set as a ${set}, but takes a ${announced}`] : []
}

function textsOf({ string, array = [], map = [] }: Parameter): string[] {
  return [...(string === undefined ? [] : [string]), ...array, ...map.map(([, value]) => value)]
}

function textErrors(text: string, announcement: Announcement): string[] {
  const { itemType, options } = announcement
  if (itemType === 'enum' && options.length > 0 && !options.includes(text)) {
    return [
      `${JSON.stringify(text)} is none of ${options.map((option) => JSON.stringify(option)).join(', ')}`,
    ]
  }
  const isWrong = restricts(announcement) && !isTextOf(itemType, text)
  return isWrong ? [`${JSON.stringify(text)} is not a ${itemType}`] : []
}

/** An announcement whose own default has values of other types does not hold users to one. */
function restricts(announcement: Announcement): boolean {
  const { itemType, default: value } = announcement
  if (value === undefined) return true
  const texts =
    value.kind === 'string'
      ? [value.text]
      : value.kind === 'array'
        ? value.items
        : value.entries.map(([, text]) => text)
  return texts.every((text) => isTextOf(itemType, text))
}
