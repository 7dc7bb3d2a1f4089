import { parse } from 'yaml'
import { UserError } from './user-error.ts'

/** A map of a values file; a Map, as keys are chosen by whoever writes the file. */
export type ValuesMap = ReadonlyMap<string, Values>

/** Values of a chart. */
export type Values = ValuesMap | readonly Values[] | string | number | bigint | boolean | null

/** With `text` every scalar is what was written, so that `1.10` stays `1.10`; with `typed` it is what Helm sees. */
export type Scalars = 'text' | 'typed'

/** Reads YAML as Helm does. */
export function readYaml(text: string, place: string, scalars: Scalars): Values {
  try {
    const value: Values = parse(text, {
      schema: scalars === 'text' ? 'failsafe' : 'yaml-1.1',
      // A date is a text for Helm.
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !tag.tag.endsWith('timestamp')),
      merge: true,
      uniqueKeys: false,
      mapAsMap: true,
      intAsBigInt: true,
    })
    return value ?? null
  } catch (cause) {
    throw new UserError(`${place}: ${cause instanceof Error ? cause.message : 'no YAML'}`, { cause })
  }
}

/** The map, or an empty one in place of nothing. */
export function mapOf(value: Values | undefined, place: string): ValuesMap {
  if (value instanceof Map) return value
  if (value === undefined || value === null || value === '') return new Map()
  throw new UserError(`${place}: must be an object`)
}

/** Lays values over others as Helm does: maps are merged, everything else is replaced. */
export function overlay(base: ValuesMap, over: ValuesMap): ValuesMap {
  const merged = new Map(base)
  for (const [key, value] of over) {
    const below = base.get(key)
    merged.set(key, below instanceof Map && value instanceof Map ? overlay(below, value) : value)
  }
  return merged
}
