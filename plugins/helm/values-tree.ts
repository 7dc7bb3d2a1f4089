import { parse } from 'yaml'
import { UserError } from './user-error.ts'

/** Values of a chart; every scalar is the text that was written, so that `1.10` stays `1.10`. */
type Values = string | readonly Values[] | ReadonlyMap<string, Values>

/** Reads one YAML map; an empty file is an empty map. */
export function readValues(text: string, file: string): ReadonlyMap<string, Values> {
  try {
    const values: Values | null = parse(text, {
      schema: 'failsafe',
      merge: true,
      uniqueKeys: false,
      mapAsMap: true,
    })
    if (values instanceof Map) return values
    if (values === null || values === '') return new Map()
  } catch (cause) {
    throw new UserError(`${file}: ${cause instanceof Error ? cause.message : 'no YAML'}`, { cause })
  }
  throw new UserError(`${file}: values must be an object`)
}

/** Lays values over others as Helm does: maps are merged, everything else is replaced. */
export function overlay(
  base: ReadonlyMap<string, Values>,
  over: ReadonlyMap<string, Values>,
): ReadonlyMap<string, Values> {
  const merged = new Map(base)
  for (const [key, value] of over) {
    const below = base.get(key)
    merged.set(key, below instanceof Map && value instanceof Map ? overlay(below, value) : value)
  }
  return merged
}

/** The scalars by their paths as `--set` takes them: `image.tag`, `hosts[0].name`, `labels.example\.com/team`. */
export function flatten(values: Values, path = ''): [path: string, value: string][] {
  if (typeof values === 'string') return [[path, values]]
  if (Array.isArray(values)) {
    return values.flatMap((item: Values, index) => flatten(item, `${path}[${index}]`))
  }
  const entries = values instanceof Map ? [...values] : []
  return entries.flatMap(([key, value]: [string, Values]) => {
    const step = key.replaceAll(/[.,=[\]\\]/g, String.raw`\$&`)
    return flatten(value, path === '' ? step : `${path}.${step}`)
  })
}
