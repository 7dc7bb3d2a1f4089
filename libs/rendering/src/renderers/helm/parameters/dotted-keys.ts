import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import type { ValuePath } from '@wadi/params/values/set-name.ts'
import { valueAt } from './value-steps.ts'

/** Returns the path of a value that is there, with keys whose dots another path takes for the ends of keys; undefined when there is none. */
export function pathWithDots(values: Value | undefined, path: ValuePath): ValuePath | undefined {
  if (path.length === 0) return values === undefined ? undefined : []
  if (!isValueMap(values)) return undefined
  for (const length of path.keys().map((index) => index + 1)) {
    const key = path.slice(0, length).join('.')
    const below = values.has(key) ? pathWithDots(values.get(key), path.slice(length)) : undefined
    if (below !== undefined) return [key, ...below]
  }
  return undefined
}

/**
 * Returns a path whose steps up to one like `io/inject` are one key, such as that of an annotation, from the first that is not among the
 * values; undefined where nothing is like that.
 */
export function pathOfQualifiedKey(values: Value, path: ValuePath): ValuePath | undefined {
  const end = path.findIndex((step) => typeof step === 'string' && /^[a-z0-9-]+\/./i.test(step))
  const start = path.findIndex((_, index) => valueAt(values, path.slice(0, index + 1)) === undefined)
  if (start < 0 || start >= end || path.slice(start, end).some((step) => typeof step !== 'string'))
    return undefined
  return [...path.slice(0, start), path.slice(start, end + 1).join('.'), ...path.slice(end + 1)]
}
