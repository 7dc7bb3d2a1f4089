import { type JsonValue } from '@wadi/manifests/manifest.ts'
import { flowText, itemText, valueText } from './block-text.ts'
import { type YamlCollection, type YamlEntry, tokenEnd } from './yaml-tokens.ts'

/** A part of a text, by offsets, and what takes its place, with line feeds as line ends. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Makes all changes at once; none overlaps another. */
export function applySplices(text: string, splices: readonly Splice[], lineBreak: string): string {
  const parts: string[] = []
  let done = 0
  // What is put in at a place stands before what begins there.
  for (const { start, end, text: replacement } of splices.toSorted(
    (a, b) => a.start - b.start || a.end - b.end,
  )) {
    parts.push(text.slice(done, start), replacement.replaceAll('\n', lineBreak))
    done = end
  }
  return [...parts, text.slice(done)].join('')
}

/** Gives an entry another value; a comment behind the value stays where it can. */
export function replaceValue(
  text: string,
  { kind, isFlow, column }: YamlCollection,
  entry: YamlEntry,
  value: JsonValue,
): Splice {
  const old = entry.value
  if (isFlow) {
    if (old !== undefined) return { start: old.offset, end: tokenEnd(old), text: flowText(value) }
    const colon = entry.head === undefined ? ': ' : ' '
    return { start: entry.end, end: entry.end, text: `${colon}${flowText(value)}` }
  }
  const body = kind === 'map' ? valueText(value, column) : itemText(value, column).slice(1)
  const end = lineEnd(text, entry.end)
  const isBlock = old?.type === 'block-map' || old?.type === 'block-seq' || old?.type === 'block-scalar'
  if (isBlock) return { start: entry.head ?? entry.end, end, text: body }
  const isInline = body.startsWith(' ') && body.indexOf('\n') === body.length - 1
  if (isInline) {
    return old === undefined
      ? { start: entry.end, end: entry.end, text: body.slice(0, -1) }
      : { start: old.offset, end: tokenEnd(old), text: body.slice(1, -1) }
  }
  const comment = text.slice(entry.end, end).trimEnd()
  const start = old === undefined ? entry.end : (entry.head ?? entry.end)
  return { start, end, text: body.replace('\n', () => `${comment}\n`) }
}

/** Returns the start of an offset's line; the offset itself if other text precedes it on the line. */
export function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^\ufeff? *$/.test(text.slice(start, offset)) ? start + (text[start] === '\ufeff' ? 1 : 0) : offset
}

/** Returns the end of the line on which a node ends: after its line break. */
export function lineEnd(text: string, offset: number): number {
  // A block scalar ends behind its last line break.
  if (text[offset - 1] === '\n') return offset
  const lineBreak = text.indexOf('\n', offset)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Returns the start of the comment right above a line and as deep as it; the line's own start if there is none. */
export function withComments(text: string, start: number): number {
  const depth = /^ */.exec(text.slice(start, start + 1000))?.[0] ?? ''
  let begin = start
  while (begin > 0) {
    const above = text.lastIndexOf('\n', begin - 2) + 1
    if (!text.startsWith(`${depth}#`, above)) return begin
    begin = above
  }
  return begin
}
