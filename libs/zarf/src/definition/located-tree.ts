import type { Location } from '@wadi/errors/location.ts'
import { locatedView } from '@wadi/params/values/located-view.ts'
import { locatedMap, partAt } from '@wadi/params/values/located.ts'
import { isValueMap } from '@wadi/params/values/value.ts'
import type { Located } from '@wadi/params/values/value.ts'

/** Returns a map of parts, the last of each key. */
export function mapOfEntries(entries: Iterable<readonly [string, Located]>, at: Location): Located {
  return locatedMap(new Map(entries), at)
}

/** Returns a list of parts. */
export function locatedList(items: readonly Located[], at: Location): Located {
  return {
    value: items.map(({ value }) => value),
    at,
    parts: new Map(items.map((item, index) => [String(index), item])),
  }
}

/** Returns the parts of an object with their keys; none of anything else. */
export function entriesOf(located: Located | undefined): [string, Located][] {
  if (located === undefined) return []
  return Array.from(locatedView.keysOf(located)).flatMap((key): [string, Located][] => {
    const part = locatedView.member(located, key)
    return part === undefined ? [] : [[key, part]]
  })
}

/** Returns the items of a list; none of anything else. */
export function itemsOf(located: Located | undefined): Located[] {
  return [...((located && locatedView.itemsOf(located)) ?? [])]
}

/** Returns the part of a map of that key. */
export function partOf(located: Located | undefined, ...keys: string[]): Located | undefined {
  return located === undefined ? undefined : partAt(located, keys)
}

/** Returns the string at a place in a tree; the empty one where there is none, as a missing field reads in Go. */
export function textOf(located: Located | undefined, ...keys: string[]): string {
  const part = partOf(located, ...keys)
  return (part && locatedView.stringOf(part)) ?? ''
}

/** Returns the strings of the list at a place in a tree. */
export function textsOf(located: Located | undefined, ...keys: string[]): string[] {
  return itemsOf(partOf(located, ...keys)).flatMap((item) => locatedView.stringOf(item) ?? [])
}

/** True if true is written at a place in a tree. */
export function flagOf(located: Located | undefined, ...keys: string[]): boolean {
  return partOf(located, ...keys)?.value === true
}

/** Returns a map without some keys and with others replaced; an undefined part takes its key away. */
export function withParts(
  located: Located,
  changes: Iterable<readonly [string, Located | undefined]>,
): Located {
  const parts = new Map<string, Located>(entriesOf(located))
  for (const [key, part] of changes) {
    if (part === undefined) {
      parts.delete(key)
    } else {
      parts.set(key, part)
    }
  }
  return locatedMap(parts, located.at)
}

/** Returns a list with the items of both; undefined when neither is there. */
export function joinLists(first: Located | undefined, second: Located | undefined): Located | undefined {
  const at = first?.at ?? second?.at
  return at === undefined ? undefined : locatedList([...itemsOf(first), ...itemsOf(second)], at)
}

/** Returns a tree with each text replaced. */
export function mapTexts(located: Located, change: (text: string, at: Location) => string): Located {
  if (typeof located.value === 'string') {
    const text = change(located.value, located.at)
    return text === located.value ? located : { ...located, value: text }
  }
  if (isValueMap(located.value)) {
    return mapOfEntries(
      entriesOf(located).map(([key, part]) => [key, mapTexts(part, change)]),
      located.at,
    )
  }
  if (Array.isArray(located.value)) {
    return locatedList(
      itemsOf(located).map((part) => mapTexts(part, change)),
      located.at,
    )
  }
  return located
}
