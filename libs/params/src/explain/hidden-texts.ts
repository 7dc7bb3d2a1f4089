import { isList } from '../values/value-tree.ts'
import { Float, isValueMap, type Value } from '../values/value.ts'

/** Stands where a text is not shown. */
export const hiddenText = '<hidden>'

/** Shorter texts are in others by chance, and are hidden only where they are the whole value. */
const shortestPart = 4

/** Returns a function that gives a text without those that are not shown, whole or as parts of it. */
export function hideTexts(hidden: readonly string[]): (text: string) => string {
  const texts = new Set(hidden.flatMap((text) => [text, text.trim()]).filter((text) => text !== ''))
  // A text that holds another one goes first.
  const parts = [...texts]
    .filter(({ length }) => length >= shortestPart)
    .toSorted((one, other) => other.length - one.length)
  return (text) =>
    texts.has(text) ? hiddenText : parts.reduce((shown, part) => shown.replaceAll(part, hiddenText), text)
}

/** Returns a function that does so with all texts and numbers of a value. */
export function hideInValues(hidden: readonly string[]): (value: Value) => Value {
  if (hidden.length === 0) return (value) => value
  const hideText = hideTexts(hidden)
  const hide = (value: Value): Value => {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return hideText(value)
    if (isList(value)) return value.map(hide)
    if (isValueMap(value)) return new Map(Array.from(value, ([key, member]) => [key, hide(member)]))
    const text = String(value instanceof Float ? value.value : value)
    // Small numbers are everywhere.
    return text.length >= shortestPart && hideText(text) === hiddenText ? hiddenText : value
  }
  return hide
}
