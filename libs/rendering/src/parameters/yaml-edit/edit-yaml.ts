import type { JsonValue } from '@wadi/manifests/manifest.ts'
import { flowKey, flowText, pairText, valueText } from './block-text.ts'
import { editList, type ListItem } from './edit-yaml-list.ts'
import { type Splice, applySplices, lineEnd, lineStart, replaceValue, withComments } from './yaml-splice.ts'
import { type YamlCollection, type YamlEntry, collectionOf, tokenEnd, yamlRoot } from './yaml-tokens.ts'

/** The wanted content of a map of a YAML text at a path: a value, nothing, or a list whose items may stay as they are. */
export type YamlChange =
  | { readonly path: readonly string[]; readonly value: JsonValue | undefined }
  | { readonly path: readonly string[]; readonly items: readonly ListItem[] }

/**
 * Changes a YAML text, whose root is a map or nothing, in as few places as possible: comments, order, quotes, indentation
 * and line ends of all the rest stay. A map that is left without entries goes too; a text that is left without content is `''`.
 * What anchors and merge keys bring is not followed, so the caller has to read the result again.
 */
export function editYaml(text: string, change: YamlChange): string {
  const isFlow = collectionOf(yamlRoot(text))?.isFlow === true
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const whole = isFlow || text === '' || text.endsWith('\n') ? text : `${text}${lineBreak}`
  const splices = yamlSplices(whole, yamlRoot(whole), change)
  if (splices.length === 0) return text
  const edited = applySplices(whole, splices, lineBreak)
  return /^\ufeff?(?:\s|---(?=\s|$)|\.\.\.(?=\s|$))*$/.test(edited) ? '' : edited
}

/**
 * Returns the parts of a text that a change replaces.
 * @param root the map that the path begins at; undefined for a text without content
 */
export function yamlSplices(text: string, root: YamlEntry['value'], change: YamlChange): Splice[] {
  const value = 'items' in change ? change.items.map((item) => item.value) : change.value
  const way: Step[] = []
  let collection = collectionOf(root)
  if (collection?.kind !== 'map' || collection.entries.length === 0) {
    if (value === undefined) return []
    const lines = valueText(nested(change.path, value), -2).slice(1)
    if (root === undefined) return [{ start: text.length, end: text.length, text: lines }]
    return [{ start: root.offset, end: tokenEnd(root), text: lines.slice(0, -1) }]
  }
  for (const [depth, key] of change.path.entries()) {
    const rest = change.path.slice(depth + 1)
    const index = collection.entries.findIndex((entry) => entry.key === key)
    const entry = collection.entries[index]
    if (entry === undefined)
      return value === undefined ? [] : [insertion(text, collection, key, nested(rest, value))]
    way.push({ collection, index })
    const below = collectionOf(entry.value)
    if (rest.length === 0) {
      if (value === undefined) return [deletion(text, way)]
      const isList = 'items' in change && below?.kind === 'list' && below.entries.length > 0
      return isList
        ? editList(text, below, change.items, change.path)
        : [replaceValue(text, collection, entry, value)]
    }
    if (below?.kind !== 'map' || below.entries.length === 0) {
      return value === undefined ? [] : [replaceValue(text, collection, entry, nested(rest, value))]
    }
    collection = below
  }
  return []
}

/** A map and the entry of it that leads on. */
interface Step {
  readonly collection: YamlCollection
  readonly index: number
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => Object.fromEntries([[key, inner]]), value)
}

function insertion(text: string, map: YamlCollection, key: string, value: JsonValue): Splice {
  const end = map.entries.at(-1)?.end ?? map.end
  if (!map.isFlow) {
    const start = lineEnd(text, end)
    return { start, end: start, text: `${' '.repeat(map.column)}${pairText(key, value, map.column)}` }
  }
  const gap = text.slice(map.start + 1, map.entries[0]?.start)
  const space = /^\s*\n\s*$/.test(gap) ? gap : ' '
  return { start: end, end, text: `,${space}${flowKey(key)} ${flowText(value)}` }
}

/** Takes an entry away, with the maps around it that it leaves empty. */
function deletion(text: string, way: readonly Step[]): Splice {
  const depth = way.findLastIndex(({ collection }, index) => index === 0 || collection.entries.length > 1)
  const { collection, index } = way[depth] ?? { collection: undefined, index: 0 }
  const entry = collection?.entries[index]
  if (collection === undefined || entry === undefined) return { start: 0, end: 0, text: '' }
  if (!collection.isFlow) {
    const start = lineStart(text, entry.start)
    // A comment at the top of the file speaks of the file.
    const isTop = depth === 0 && index === 0
    return { start: isTop ? start : withComments(text, start), end: lineEnd(text, entry.end), text: '' }
  }
  const next = collection.entries[index + 1]
  const before = collection.entries[index - 1]
  if (next !== undefined) return { start: entry.start, end: next.start, text: '' }
  if (before !== undefined) return { start: before.end, end: entry.end, text: '' }
  return { start: collection.start, end: collection.end, text: '' }
}
