import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { parseConfigs } from '../../source/config-file.ts'
import { flowText, itemText } from './block-text.ts'
import { type Splice, lineEnd, lineStart, replaceValue, withComments } from './yaml-splice.ts'
import { type YamlCollection, type YamlEntry, collectionOf } from './yaml-tokens.ts'

/** An item that a list must have. */
export interface ListItem {
  readonly value: JsonValue
  /** The item that it is in the list as it stands, whose text stays; these rise. Undefined for another value. */
  readonly was: number | undefined
}

/**
 * Makes the list at a path say `items`: those that stay keep their text, a changed one takes the place of the old one
 * between the same neighbours. A list that is not what the items speak of is written again.
 */
export function editList(
  text: string,
  list: YamlCollection,
  items: readonly ListItem[],
  path: readonly string[],
): Splice[] {
  if (items.length === list.entries.length && items.every(({ was }, index) => was === index)) return []
  if (list.isFlow) return [editFlowList(text, list, items)]
  const values = valuesAt(text, path)
  const splices: Splice[] = []
  for (const { olds, news, after } of segmentsOf(list, items)) {
    for (const [position, old] of olds.entries()) {
      const item = news[position]
      if (item === undefined) {
        splices.push({
          start: withComments(text, lineStart(text, old.entry.start)),
          end: lineEnd(text, old.entry.end),
          text: '',
        })
      } else splices.push(...replaceItem(text, list, old.entry, values[old.index], item.value))
    }
    const added = news.slice(olds.length)
    if (added.length === 0) continue
    const last = olds.at(-1)?.entry ?? after
    const place = last === undefined ? lineStart(text, list.start) : lineEnd(text, last.end)
    const indent = ' '.repeat(list.column)
    const lines = added.map((item) => `${indent}${itemText(item.value, list.column)}`).join('')
    splices.push({ start: place, end: place, text: lines })
  }
  return splices
}

/** The items between two items that stay, now and then. */
interface Segment {
  readonly olds: ReadonlyArray<{ readonly entry: YamlEntry; readonly index: number }>
  readonly news: readonly ListItem[]
  /** The item before, which stays. */
  readonly after: YamlEntry | undefined
}

function segmentsOf(list: YamlCollection, items: readonly ListItem[]): Segment[] {
  const entries = list.entries.map((entry, index) => ({ entry, index }))
  const segments: Segment[] = []
  let news: ListItem[] = []
  let next = 0
  let after: YamlEntry | undefined
  for (const item of items) {
    const kept = item.was === undefined || item.was < next ? undefined : entries[item.was]
    if (kept === undefined) {
      news.push(item)
      continue
    }
    segments.push({ olds: entries.slice(next, kept.index), news, after })
    news = []
    next = kept.index + 1
    after = kept.entry
  }
  return [...segments, { olds: entries.slice(next), news, after }]
}

/** Changes an item; one with the same fields in the fields that differ alone. */
function replaceItem(
  text: string,
  list: YamlCollection,
  entry: YamlEntry,
  before: unknown,
  value: JsonValue,
): Splice[] {
  const map = collectionOf(entry.value)
  const fields = new Map(map?.entries.map((field) => [field.key, field]))
  if (map?.kind !== 'map' || !isJsonObject(before) || !isJsonObject(value)) {
    return [replaceValue(text, list, entry, value)]
  }
  const keys = Object.keys(value)
  if (keys.length !== fields.size || !keys.every((key) => fields.has(key))) {
    return [replaceValue(text, list, entry, value)]
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const field = fields.get(key)
    if (field === undefined || isDeepStrictEqual(before[key], item)) return []
    return [replaceValue(text, map, field, item)]
  })
}

function editFlowList(text: string, list: YamlCollection, items: readonly ListItem[]): Splice {
  const [first] = list.entries
  const start = first?.start ?? list.start + 1
  const gap = text.slice(list.start + 1, start)
  const space = /^\s*\n\s*$/.test(gap) ? gap : ' '
  const texts = items.map(({ was, value }) => {
    const entry = was === undefined ? undefined : list.entries[was]
    return entry === undefined ? flowText(value) : text.slice(entry.start, entry.end)
  })
  return { start, end: list.entries.at(-1)?.end ?? start, text: texts.join(`,${space}`) }
}

function valuesAt(text: string, path: readonly string[]): readonly unknown[] {
  const root: unknown = parseConfigs(text, '.argocd-source.yaml')[0]?.value
  const list = path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), root)
  return Array.isArray(list) ? list : []
}
