import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Condition, Place, PlaceStep } from '@wadi/application-sets/ignored/kept-place.ts'

/** Matches a position in a list in RFC 6901. */
const position = /^(?:0|[1-9][0-9]{0,8})$/

/**
 * The generated value with what stands at a place as it is in the existing one: a value that is there stays, one that is
 * not there does not come. Maps on the way are made, items of lists are not: which items a list has is up to the
 * generated value, unless the place names items as a whole by `[]`. A position stands for the same position in both
 * lists. Behind `[]` and `select` items are the same when they have the same `name`; where an item has no name of its
 * own, the first is the same as the first and so on. Neither argument is changed.
 */
export function withKeptValues(existing: unknown, generated: unknown, place: Place): unknown {
  const [step, ...rest] = place
  if (!step) return existing
  switch (step.kind) {
    case 'key':
      return withKeptKey(existing, generated, step.key, rest)
    case 'token':
      if (!Array.isArray(generated)) return withKeptKey(existing, generated, step.token, rest)
      return position.test(step.token)
        ? withKeptPosition(existing, generated, Number(step.token), rest)
        : generated
    case 'index':
      return withKeptPosition(existing, generated, step.index, rest)
    case 'each':
      return withKeptMembers(existing, generated, rest)
    default:
      return [existing, generated].every((value) => holds(value, step.conditions))
        ? withKeptValues(existing, generated, rest)
        : generated
  }
}

function withKeptKey(existing: unknown, generated: unknown, key: string, rest: Place): unknown {
  const map = generated ?? {}
  if (!isJsonObject(map)) return generated
  const current = memberOf(map, key)
  const value = withKeptValues(memberOf(existing, key), current, rest)
  if (value === current) return generated
  if (value !== undefined) return { ...map, [key]: value }
  const { [key]: _, ...others } = map
  return Object.keys(others).length === 0 && !isJsonObject(existing) ? undefined : others
}

function withKeptPosition(existing: unknown, generated: unknown, index: number, rest: Place): unknown {
  if (!Array.isArray(existing) || !Array.isArray(generated)) return generated
  const at = index < 0 ? generated.length + index : index
  const old: unknown = existing.at(index)
  const current: unknown = generated[at]
  if (old === undefined || current === undefined) return generated
  return generated.with(at, withKeptValues(old, current, rest) ?? current)
}

function withKeptMembers(existing: unknown, generated: unknown, rest: Place): unknown {
  const afterSelects = rest.findIndex(({ kind }) => kind !== 'select')
  const inner = afterSelects < 0 ? [] : rest.slice(afterSelects)
  const conditions = rest.slice(0, rest.length - inner.length).flatMap(conditionsOf)
  if (Array.isArray(existing) || Array.isArray(generated)) {
    return withKeptItems(existing, generated, conditions, inner)
  }
  const keys = new Set([existing, generated].flatMap((map) => (isJsonObject(map) ? Object.keys(map) : [])))
  let result = generated
  for (const key of keys) {
    const values = [memberOf(existing, key), memberOf(generated, key)].filter((value) => value !== undefined)
    if (values.every((value) => holds(value, conditions))) result = withKeptKey(existing, result, key, inner)
  }
  return result
}

/** The same for the items of a list that fulfil the conditions; with nothing after them they are kept as a whole. */
function withKeptItems(
  existing: unknown,
  generated: unknown,
  conditions: readonly Condition[],
  inner: Place,
): unknown {
  const [old, current] = [existing ?? [], generated ?? []]
  if (!Array.isArray(old) || !Array.isArray(current)) return generated
  const isSelected = (item: unknown): boolean => holds(item, conditions)
  const [oldItems, currentItems] = [old.filter(isSelected), current.filter(isSelected)]
  const haveNames = [oldItems, currentItems].every(haveOwnNames)
  const keyOf = (item: unknown, index: number): unknown => (haveNames ? memberOf(item, 'name') : index)
  const oldByKey = new Map(oldItems.map((item, index) => [keyOf(item, index), item]))
  let index = 0
  const items = current.flatMap((item: unknown): unknown[] => {
    if (!isSelected(item)) return [item]
    const key = keyOf(item, index)
    index += 1
    const isKnown = oldByKey.has(key)
    const same = oldByKey.get(key)
    oldByKey.delete(key)
    if (inner.length === 0) return isKnown ? [same] : []
    return [isKnown ? (withKeptValues(same, item, inner) ?? item) : item]
  })
  if (inner.length === 0) items.push(...oldByKey.values())
  if (items.length > 0) return items
  const decides = inner.length === 0 ? existing : generated
  return Array.isArray(decides) ? [] : decides
}

function haveOwnNames(items: readonly unknown[]): boolean {
  const names = new Set(items.map((item) => memberOf(item, 'name')))
  return names.size === items.length && items.every((item) => typeof memberOf(item, 'name') === 'string')
}

function conditionsOf(step: PlaceStep): readonly Condition[] {
  return step.kind === 'select' ? step.conditions : []
}

function holds(value: unknown, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, isEqual, value: wanted }) => {
    const found = path.reduce(memberAt, value) ?? null
    return (found === wanted) === isEqual
  })
}

function memberAt(value: unknown, step: PlaceStep): unknown {
  if (step.kind === 'key') return memberOf(value, step.key)
  return step.kind === 'index' && Array.isArray(value) ? value.at(step.index) : undefined
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
