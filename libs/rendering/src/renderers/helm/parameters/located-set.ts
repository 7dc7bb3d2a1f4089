import type { Location } from '@wadi/errors/location.ts'
import { fitsInt64, parseDecimalInteger } from '@wadi/manifests/go-number.ts'
import { locatedBelow } from '@wadi/params/resolve/assign.ts'
import { locatedMap, partAt, partOf } from '@wadi/params/values/located.ts'
import { mergeLocated } from '@wadi/params/resolve/merge-located.ts'
import { isList } from '@wadi/params/values/value-tree.ts'
import { type Located, type Value, isValueMap } from '@wadi/params/values/value.ts'
import { type ValuePath } from '@wadi/params/values/set-name.ts'
import { parseSetValue } from './helm-set.ts'

/** Values with another one, and the part of them that was set: below a list the whole list, as lists are never merged. */
interface SetResult {
  readonly values: Located
  readonly set: Located
}

/** Sets a value as Helm's `--set` does, over the values that are given before it and not over the chart's. */
export function setLocatedValue(values: Located, path: ValuePath, value: Located): SetResult {
  const position = path.findIndex((step) => typeof step === 'number')
  const above = (position === -1 ? path : path.slice(0, position)).map(String)
  const present = position === -1 ? undefined : partAt(values, above)
  const set = locatedBelow(above, position === -1 ? value : withItem(present, path.slice(position), value))
  return { values: mergeLocated(values, set), set }
}

function withItem(present: Located | undefined, path: ValuePath, value: Located): Located {
  const [step, ...rest] = path
  if (step === undefined) return value
  const { at } = value
  if (typeof step === 'string') {
    const parts = new Map<string, Located>()
    for (const key of isValueMap(present?.value) ? present.value.keys() : []) {
      const part = present && partOf(present, key)
      if (part !== undefined) parts.set(key, part)
    }
    parts.set(step, withItem(parts.get(step), rest, value))
    return locatedMap(parts, at)
  }
  const length = isList(present?.value) ? present.value.length : 0
  const items = Array.from({ length: Math.max(length, step + 1) }, (_, index): Located => {
    const item = index < length && present !== undefined ? partOf(present, String(index)) : undefined
    return index === step ? withItem(item, rest, value) : (item ?? { value: null, at })
  })
  const parts = new Map(items.map((item, index): [string, Located] => [String(index), item]))
  return { value: items.map((item) => item.value), at, parts }
}

/** The value that the text after `--set name=`, or `--set-string name=` when all is text, stands for. */
export function setValue(text: string, allText: boolean, at: Location): Located {
  const node = parseSetValue(text, allText, {})
  if (node.kind === 'scalar') return { value: scalarOf(node), at }
  const items = Array.from(node.children.values(), (item) => (item.kind === 'scalar' ? scalarOf(item) : null))
  return { value: items, at }
}

function scalarOf({ text, type }: { readonly text: string; readonly type: string }): Value {
  if (type === 'boolean') return text.toLowerCase() === 'true'
  if (type === 'null') return null
  if (type !== 'number') return text
  const digits = text.replace(/^\+/, '')
  return fitsInt64(BigInt(digits)) ? (parseDecimalInteger(digits) ?? text) : text
}
