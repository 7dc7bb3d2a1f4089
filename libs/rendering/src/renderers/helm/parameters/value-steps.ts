import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import { type ValuePath, setName } from '@wadi/params/values/set-name.ts'

/** Returns the value at a path; undefined when there is none. */
export function valueAt(values: Value | undefined, path: ValuePath): Value | undefined {
  return path.reduce<Value | undefined>((value, step) => {
    if (typeof step === 'number') return isList(value) ? value[step] : undefined
    return isValueMap(value) ? value.get(step) : undefined
  }, values)
}

/**
 * A copy of values with another one at a path, or without the one there; maps on the way are made.
 * @throws InvalidInputError for a position beyond the end of a list
 */
export function withValueAt(values: Value | undefined, path: ValuePath, value: Value | undefined): Value {
  const place = (current: Value | undefined, depth: number): Value => {
    const step = path[depth]
    if (step === undefined) throw new Error('a path without steps')
    const isLast = depth === path.length - 1
    if (typeof step === 'number') {
      const items = isList(current) ? current : []
      requirePosition(items, path.slice(0, depth + 1))
      if (isLast && value === undefined) return items.toSpliced(step, 1)
      return items.toSpliced(step, 1, isLast ? (value ?? null) : place(items[step], depth + 1))
    }
    const map = new Map(isValueMap(current) ? current : [])
    if (isLast && value === undefined) map.delete(step)
    else map.set(step, isLast ? (value ?? null) : place(map.get(step), depth + 1))
    return map
  }
  return place(values, 0)
}

/** @throws InvalidInputError for a position beyond the place behind the last item */
export function requirePosition(items: readonly Value[], path: ValuePath): void {
  const position = path.at(-1)
  if (typeof position !== 'number' || position <= items.length) return
  throw new InvalidInputError(
    `${setName(path)} is beyond the list, which has ${items.length} ${items.length === 1 ? 'item' : 'items'}; set [${items.length}] first`,
  )
}

/** The path up to the first list on it; undefined for one through objects alone. */
export function listPathOf(path: ValuePath): string[] | undefined {
  const position = path.findIndex((step) => typeof step === 'number')
  return position < 0 ? undefined : path.slice(0, position).map(String)
}
