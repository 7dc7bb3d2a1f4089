import { UserError } from './user-error.ts'
import type { Values, ValuesMap } from './values-tree.ts'

/** A step of a path: a key of a map or an index of a list. */
type Step = string | number

/** The texts of a tree by their paths: `image.tag`, `hosts[0].name`, `labels.example\.com/team`. */
export function flatten(values: Values, path = ''): [path: string, text: string][] {
  if (Array.isArray(values)) {
    return values.flatMap((item: Values, index) => flatten(item, `${path}[${index}]`))
  }
  if (typeof values === 'string') return [[path, values]]
  const entries = values instanceof Map ? [...values] : []
  return entries.flatMap(([key, value]: [string, Values]) => {
    const step = key.replaceAll(/[.[\]\\]/g, String.raw`\$&`)
    return flatten(value, path === '' ? step : `${path}.${step}`)
  })
}

/** Takes a path apart again. */
export function parsePath(path: string): Step[] {
  if (!/^(?:(?:^|\.)(?:\\.|[^.[\]\\])+(?:\[\d{1,9}\])*)+$/.test(path)) {
    throw new UserError(`"${path}" is not a path of a value; write it like image.tag or hosts[0].name`)
  }
  return [...path.matchAll(/\[(\d+)\]|((?:\\.|[^.[\]\\])+)/g)].map(([, index, key = '']) =>
    index === undefined ? key.replaceAll(/\\(.)/g, '$1') : Number(index),
  )
}

/** Returns the value at a path. */
export function valueAt(values: Values | undefined, steps: readonly Step[]): Values | undefined {
  return steps.reduce<Values | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)]
    return value instanceof Map ? value.get(String(step)) : undefined
  }, values)
}

/**
 * A copy of `values` with one more value at a path. Helm replaces lists as a whole, so a list that does not exist yet
 * starts as the one of the defaults.
 */
export function withValue(values: Values, defaults: Values, path: string, value: Values): Values {
  const place = (
    current: Values | undefined,
    fallback: Values | undefined,
    [step, ...rest]: readonly Step[],
  ): Values => {
    if (step === undefined) return value
    if (typeof step === 'number') {
      const items: readonly Values[] = [current, fallback].find((list) => Array.isArray(list)) ?? []
      if (step > items.length) {
        throw new UserError(`${path}: [${step}] is beyond the list, which has ${items.length} items`)
      }
      return items.toSpliced(step, 1, place(items[step], items[step], rest))
    }
    const map: ValuesMap = current instanceof Map ? current : new Map()
    return new Map(map).set(step, place(map.get(step), valueAt(fallback, [step]), rest))
  }
  return place(values, defaults, parsePath(path))
}
