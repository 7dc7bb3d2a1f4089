/** A part of a line that has a color. */
export interface ColoredSpan {
  readonly from: number
  readonly to: number
  readonly color: 'key' | 'string' | 'comment'
}

/** A text that goes on in the next line. */
export interface OpenText {
  /** The quotation mark at which it ends. */
  readonly quote?: string
  /** The column of its key or dash; its lines are further in. */
  readonly column?: number
}

const begin = /^\s*(?:[-?]\s+)*/
const key = /^(?:"[^"]*"|'[^']*'|[^"'#[\]{},&*!|>%@`][^]*)$/
const blockHeader = /^:?\s*(?:[&!]\S*\s+)*[|>][\d+-]*\s*(?:#|$)/
const quotedOrFlow = /^:?\s*(?:[&!]\S*\s+)*["'[{]/
const comment = /(?<!\S)#[^]*/g
const token = /(?<!\S)#[^]*|(?<!\w)"(?:\\[^]|[^"\\])*\\?("?)|(?<!\w)'(?:''|[^'])*('?)|[^\s"'#[\]{},:]+/g

/**
 * Returns the colored parts of a line of YAML, and the text that is open behind it; `open` is the one before it. It reads just enough of
 * YAML for that, in the time of the line's length: a parser is a third of what a page may load.
 */
export function lineColors(line: string, open: OpenText): { colors: ColoredSpan[]; open: OpenText } {
  const { quote = '', column } = open
  const indent = line.search(/\S/)
  if (column !== undefined && (indent < 0 || indent > column)) return { colors: [], open }
  const named = quote === '' ? nameOf(line) : { from: 0, to: 0 }
  const colors: ColoredSpan[] = named.to > named.from ? [{ ...named, color: 'key' }] : []
  const value = line.slice(named.to)
  if (quote === '' && blockHeader.test(value))
    return {
      colors,
      open: { column: colors.length > 0 ? named.from : line.slice(0, named.from).trimEnd().length - 1 },
    }
  const inValue = valueColors(quote + value)
  const moved = inValue.colors.map(({ from, to, color }) => {
    const offset = named.to - quote.length
    return { from: Math.max(from + offset, 0), to: to + offset, color }
  })
  return { colors: [...colors, ...moved], open: inValue.open }
}

/** Returns the place of a line's key, behind the dashes of lists; an empty one where there is no key. */
function nameOf(line: string): { from: number; to: number } {
  const from = begin.exec(line)?.[0].length ?? 0
  const length = line.slice(from).search(/:(?:\s|$)/)
  const name = line.slice(from, from + length)
  return { from, to: length > 0 && key.test(name) && !/\s#/.test(name) ? from + length : from }
}

function valueColors(value: string): { colors: ColoredSpan[]; open: OpenText } {
  const colors: ColoredSpan[] = []
  let open: OpenText = {}
  for (const { 0: text, 1: double, 2: single, index } of value.matchAll(
    quotedOrFlow.test(value) ? token : comment,
  )) {
    const to = index + text.length
    const mark = text.charAt(0)
    if (mark === '#') colors.push({ from: index, to, color: 'comment' })
    else if (/^:(?:\s|$)/.test(value.slice(to, to + 2))) colors.push({ from: index, to, color: 'key' })
    else if (mark === '"' || mark === "'") colors.push({ from: index, to, color: 'string' })
    if (double === '' || single === '') open = { quote: mark }
  }
  return { colors, open }
}
