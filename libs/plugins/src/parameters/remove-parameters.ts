import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { Parameter } from './parameter.ts'
import { type ParameterTarget, parameterTarget } from './parameter-target.ts'

/**
 * The parameters without those that the targets name, or without these items of them. Positions are those before the call.
 *
 * @throws NotFoundError for what is not set.
 */
export function removeParameters(
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
  removals: readonly string[],
): Parameter[] {
  const targets = Array.from(new Set(removals), (target) =>
    parameterTarget(target, parameters, announcements),
  )
  return targets.toSorted((a, b) => rank(a) - rank(b)).reduce<Parameter[]>(removed, [...parameters])
}

/** Later items go first, which keeps the positions of others, and whole parameters last. */
function rank({ part }: ParameterTarget): number {
  if (part.of === 'list') return -part.index - 1
  return part.of === 'map' ? 0 : 1
}

function removed(parameters: Parameter[], target: ParameterTarget): Parameter[] {
  const { name, announcement, part } = target
  const index = parameters.findLastIndex((parameter) => parameter.name === name)
  const current = parameters[index]
  if (part.of === 'all') {
    if (current === undefined) throw notSet(name, parameters)
    return parameters.filter((parameter) => parameter.name !== name)
  }
  if (part.of === 'list') {
    const announced = announcement?.default?.kind === 'array' ? announcement.default.items : undefined
    const items = current?.array ?? announced
    if (items === undefined || part.index >= items.length) throw notSet(`${name}[${part.index}]`, parameters)
    const array = items.toSpliced(part.index, 1)
    if (current !== undefined) return parameters.with(index, { ...current, array })
    const group = announcement?.group ?? ''
    return [...parameters, { name, group, array, form: 'flat', itemType: '', warnings: [] }]
  }
  if (current?.map?.some(([key]) => key === part.key) !== true)
    throw notSet(`${name}.${part.key}`, parameters)
  const { map, ...others } = current
  const left = map.filter(([key]) => key !== part.key)
  if (left.length > 0) return parameters.with(index, { ...others, map: left })
  const isEmpty = others.string === undefined && others.array === undefined
  return isEmpty ? parameters.toSpliced(index, 1) : parameters.with(index, others)
}

function notSet(target: string, parameters: readonly Parameter[]): NotFoundError {
  const names = parameters.map(({ name }) => name).join(', ')
  return new NotFoundError(`parameter ${target} is not set; set are: ${names === '' ? 'none' : names}`)
}
