import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { Parameter } from './parameter.ts'

/** The meaning of a target like `name`, `list[0]` or `map.key`. */
export interface ParameterTarget {
  readonly name: string
  readonly announcement: Announcement | undefined
  readonly part:
    | { readonly of: 'all' }
    | { readonly of: 'list'; readonly index: number }
    | { readonly of: 'map'; readonly key: string }
}

interface Named {
  readonly name: string
  readonly isList: boolean
  readonly isMap: boolean
}

/**
 * Finds out what a target means: a whole name goes before a part of one, what is announced before what is set, a longer
 * name before a shorter one; of any other target the part before the first dot is a map.
 *
 * @throws InvalidInputError for a target without a name, key or position.
 */
export function parameterTarget(
  target: string,
  parameters: readonly Parameter[],
  announcements: readonly Announcement[],
): ParameterTarget {
  const announced = announcements.map(({ name, collectionType }) => ({
    name,
    isList: collectionType === 'array',
    isMap: collectionType === 'map',
  }))
  const set = parameters.map(({ name, array, map }) => ({
    name,
    isList: array !== undefined,
    isMap: map !== undefined,
  }))
  const found = among(announced, target) ?? among(set, target) ?? unknownTarget(target)
  const { part } = found
  if (found.name === '' || (part.of === 'map' && part.key === '')) {
    throw new InvalidInputError(`${JSON.stringify(target)} is not a target: use name, list[0] or map.key`)
  }
  return { ...found, announcement: announcements.find(({ name }) => name === found.name) }
}

type Found = Pick<ParameterTarget, 'name' | 'part'>

function among(known: readonly Named[], target: string): Found | undefined {
  if (known.some(({ name }) => name === target)) return { name: target, part: { of: 'all' } }
  const longestFirst = known.toSorted((a, b) => b.name.length - a.name.length)
  for (const { name, isList, isMap } of longestFirst) {
    if (!target.startsWith(name)) continue
    const rest = target.slice(name.length)
    const index = isList ? positionOf(rest) : undefined
    if (index !== undefined) return { name, part: { of: 'list', index } }
    if (isMap && rest.startsWith('.')) return { name, part: { of: 'map', key: rest.slice(1) } }
  }
  return undefined
}

function positionOf(text: string): number | undefined {
  const digits = /^\[(\d{1,9})\]$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function unknownTarget(target: string): Found {
  const dot = target.indexOf('.')
  if (dot !== -1) return { name: target.slice(0, dot), part: { of: 'map', key: target.slice(dot + 1) } }
  const bracket = target.endsWith(']') ? target.lastIndexOf('[') : -1
  if (bracket === -1) return { name: target, part: { of: 'all' } }
  const index = positionOf(target.slice(bracket))
  if (index === undefined) {
    throw new InvalidInputError(`${JSON.stringify(target)}: a position in a list is a number like [0]`)
  }
  return { name: target.slice(0, bracket), part: { of: 'list', index } }
}
