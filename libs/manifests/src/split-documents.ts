import { isJsonText } from './is-json-text.ts'

/** A stretch of a text that can be read by itself, and its offset in the text. */
export interface TextPart {
  text: string
  start: number
  /** True when it may be an object of JSON that YAML refuses, such as one with `\\/` in a string. */
  mayBeJson?: boolean
}

/**
 * Cuts a YAML text in front of its document markers: a line of `---`, alone or followed by blank space and more. YAML
 * knows no place where such a line means anything else. A text with directives is one part, because they belong to the
 * marker below them. A byte order mark that kubectl drops stands in front of the marker and no longer behind it, where the
 * parser would keep it; everything else of the part keeps its offset. Objects of JSON that begin the text are parts of their own. The last
 * line has an end, as kubectl gives it one, so that a block scalar in it ends in a line break.
 */
export function splitDocuments(content: string): TextPart[] {
  const text = content.endsWith('\n') ? content : `${content}\n`
  if (/(?:^\ufeff?|[\r\n])%/.test(text)) return [{ text, start: 0 }]
  const markers = [...text.matchAll(/\n---(?=[ \t\r\n]|$)/g)].map(({ index }) => index + 1)
  const first = splitJson(text.slice(0, markers[0]))
  let begin = 0
  const others = markers.map((start, index) => {
    const part = text.slice(start, markers[index + 1])
    // kubectl reads a document from the line after a marker, which is part of it only where no text is in front.
    const endsDocument = start > begin
    if (endsDocument) begin = lineEnd(text, start)
    return { text: endsDocument ? withMarkInFront(part) : part, start }
  })
  return [...first, ...others]
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset)
  return newline === -1 ? text.length : newline + 1
}

function withMarkInFront(part: string): string {
  return part.replace(/^(---[ \t]*(?:#.*)?\r?\n)\ufeff/, '\ufeff$1')
}

/** Cuts a text that begins with an object of JSON behind each one of them. */
function splitJson(text: string): TextPart[] {
  if (!/^\ufeff?\s*\{/.test(text)) return [{ text, start: 0 }]
  const parts: TextPart[] = []
  let start = 0
  for (let end = endOfObject(text, start); end !== undefined; end = endOfObject(text, start)) {
    if (text.slice(end).trim() === '' || !isJsonText(text.slice(start, end))) break
    parts.push({ text: text.slice(start, end), start, mayBeJson: true })
    start = end
  }
  const rest = text.slice(start)
  return [...parts, { text: rest, start, mayBeJson: rest.trimStart().startsWith('{') }]
}

/** Returns where the object ends that begins the text from an offset on; undefined if none does. */
function endOfObject(text: string, start: number): number | undefined {
  const opening = /\s*\{/y
  opening.lastIndex = start
  if (!opening.test(text)) return undefined
  const sign = /"(?:[^"\\]|\\[^])*"|[{}]/g
  sign.lastIndex = opening.lastIndex
  let depth = 1
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '{') depth++
    else if (found[0] === '}' && --depth === 0) return sign.lastIndex
  }
  return undefined
}
