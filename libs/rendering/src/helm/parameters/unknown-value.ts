import { isJsonObject } from '@wadi/fields/json-object.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Value, isValueMap } from '@wadi/params/values/value.ts'
import { type ValuePath, setName } from './helm-set.ts'
import type { KnownValues } from './known-values.ts'
import { valueAt } from './value-steps.ts'

/** Most values that are looked at and most names that are offered. */
const maxLooked = 20_000
const maxNear = 5

/** The problem of a value that the chart does not have although it has some with a similar name; none otherwise. */
export function unknownValue(known: KnownValues, path: ValuePath, name: string): string[] {
  if (isKnown(known, path)) return []
  const near = nearNames(known.defaults, path)
  if (near.length === 0) return []
  return [`${name}: the chart has no such value; did you mean ${near.join(', ')}?`]
}

/** Returns whether the chart or its source has the value, or something around it in which anything may stand. */
function isKnown({ defaults, given, schema, unread }: KnownValues, path: ValuePath): boolean {
  if (valueAt(given, path) !== undefined || path[0] === 'global' || unread.includes(String(path[0])))
    return true
  let place = schema
  for (const [depth, step] of path.entries()) {
    const above = valueAt(defaults, path.slice(0, depth))
    const isOpen = !isValueMap(above) || (depth > 0 && above.size === 0)
    if (isOpen || (depth > 0 && isList(above))) return true
    const properties = isJsonObject(place) ? place['properties'] : undefined
    place = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
    if (place !== undefined) continue
    if (valueAt(defaults, path.slice(0, depth + 1)) === undefined) return false
  }
  return true
}

/** Names of the chart's values with the same last key elsewhere, or with a key that is written almost alike. */
function nearNames(defaults: Value, path: ValuePath): string[] {
  const near: string[] = []
  const last = path.at(-1)
  let looked = 0
  const visit = (value: Value, above: ValuePath): void => {
    for (const [key, below] of isValueMap(value) ? value : []) {
      if ((looked += 1) > maxLooked || near.length === maxNear) return
      const here = [...above, key]
      const isElsewhere = key === last && here.length !== path.length && !isValueMap(below)
      if (isElsewhere || isAlmost(here, path)) near.push(setName(here))
      visit(below, here)
    }
  }
  visit(defaults, [])
  return near
}

/** Returns whether one key of two paths of a length differs, and that by its case or a slip of the hand. */
function isAlmost(one: ValuePath, other: ValuePath): boolean {
  if (one.length !== other.length) return false
  const differing = one.flatMap((step, depth) =>
    step === other[depth] ? [] : [[step, other[depth]] as const],
  )
  const [[a, b] = ['', ''], ...more] = differing
  if (more.length > 0 || typeof a !== 'string' || typeof b !== 'string') return false
  if (a.toLowerCase() === b.toLowerCase()) return true
  const allowed = Math.min(a.length, b.length) < 4 ? 0 : Math.min(a.length, b.length) < 8 ? 1 : 2
  return editDistance(a, b, allowed) <= allowed
}

/** How many letters differ, are more or less or change places; more than `limit` where there are more. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit || one.length > 100) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2]
      line[column] = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    before = last
    last = line
  }
  return last[other.length] ?? 0
}
