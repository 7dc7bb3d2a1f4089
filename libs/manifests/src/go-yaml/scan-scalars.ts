import type { ScalarToken, YamlScan } from './yaml-scan.ts'
import {
  YamlSyntaxError,
  codeAt,
  columnOf,
  endOfText,
  hash,
  isAtDocumentMarker,
  isBlank,
  isBreak,
  isGap,
  readBreak,
  tab,
} from './yaml-scan.ts'

const colon = 0x3a

/** Line breaks between two stretches of a value: the first one becomes a space unless more follow. */
interface Fold {
  first: string
  others: string
}

function folded({ first, others }: Fold): string {
  if (first !== '\n') return first + others
  return others === '' ? ' ' : others
}

/** Reads a scalar without quotes, whose first character is here. */
export function scanPlain(scan: YamlScan): ScalarToken {
  const start = scan.at
  const least = scan.indent + 1
  let value = ''
  let fold: Fold | undefined
  let blanks = ''
  while (!isAtDocumentMarker(scan) && codeAt(scan, scan.at) !== hash) {
    const from = scan.at
    skipPlain(scan)
    if (scan.at > from) {
      value += (fold === undefined ? blanks : folded(fold)) + scan.text.slice(from, scan.at)
      fold = undefined
    }
    if (!isGap(codeAt(scan, scan.at)) || codeAt(scan, scan.at) === endOfText) break
    const gap = readGap(scan, fold, (code) => {
      if (code === tab && columnOf(scan) < least)
        throw new YamlSyntaxError('tab characters must not be used in indentation', scan.at)
    })
    fold = gap.fold
    blanks = gap.blanks
    if (scan.flowLevel === 0 && columnOf(scan) < least) break
  }
  if (fold !== undefined) scan.isKeyAllowed = true
  return { type: 'scalar', start, valueStart: start, style: 'plain', value }
}

/** Goes to the end of the characters that a plain scalar may have without a gap. */
function skipPlain(scan: YamlScan): void {
  const { text } = scan
  const isFlow = scan.flowLevel > 0
  let { at } = scan
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isGap(code) || (isFlow && endsInFlow(code))) break
    if (code === colon && isGap(codeAt(scan, at + 1))) break
  }
  scan.at = at
}

/** Returns whether a character is one of `,?[]{}`. */
function endsInFlow(code: number): boolean {
  return code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d
}

/** Reads blanks and ends of lines; `fold` is that of a line that ended before. `onIndentation` is called with blanks at the begin of a line. */
function readGap(
  scan: YamlScan,
  fold: Fold | undefined,
  onIndentation?: (code: number) => void,
): { fold: Fold | undefined; blanks: string } {
  const from = scan.at
  let blanks = ''
  for (let code = codeAt(scan, from); isBlank(code) || isBreak(code); code = codeAt(scan, scan.at)) {
    if (isBlank(code)) {
      if (fold !== undefined) onIndentation?.(code)
      scan.at++
    } else if (fold === undefined) fold = { first: readBreak(scan), others: '' }
    else fold.others += readBreak(scan)
  }
  if (fold === undefined) blanks = scan.text.slice(from, scan.at)
  return { fold, blanks }
}

const singleQuote = 0x27
const doubleQuote = 0x22
const backslash = 0x5c

/** Reads a scalar in quotes. */
export function scanQuoted(scan: YamlScan): ScalarToken {
  const start = scan.at
  const quote = codeAt(scan, scan.at++)
  let value = ''
  for (;;) {
    if (isAtDocumentMarker(scan))
      throw new YamlSyntaxError('a text in quotes must end before the document does', start)
    if (codeAt(scan, scan.at) === endOfText)
      throw new YamlSyntaxError('unexpected end of the stream within a text in quotes', start)
    const stretch = readQuotedStretch(scan, quote, start)
    value += stretch.value
    if (codeAt(scan, scan.at) === quote) break
    const { fold, blanks } = readGap(scan, stretch.endsLine ? { first: '', others: '' } : undefined)
    value += fold === undefined ? blanks : folded(fold)
  }
  scan.at++
  const style = quote === singleQuote ? 'single-quoted' : 'double-quoted'
  return { type: 'scalar', start, valueStart: start + 1, style, value }
}

/** Reads up to a gap or the last quotation mark. */
function readQuotedStretch(
  scan: YamlScan,
  quote: number,
  start: number,
): { value: string; endsLine: boolean } {
  let value = ''
  let from = scan.at
  for (let code = codeAt(scan, from); !isGap(code); code = codeAt(scan, scan.at)) {
    if (code === quote) {
      if (quote === doubleQuote || codeAt(scan, scan.at + 1) !== singleQuote) break
      value += scan.text.slice(from, scan.at + 1)
      scan.at += 2
      from = scan.at
    } else if (code === backslash && quote === doubleQuote) {
      value += scan.text.slice(from, scan.at++)
      if (isBreak(codeAt(scan, scan.at))) {
        readBreak(scan)
        return { value, endsLine: true }
      }
      value += readEscape(scan, start)
      from = scan.at
    } else scan.at++
  }
  return { value: value + scan.text.slice(from, scan.at), endsLine: false }
}

const escapes = new Map(
  Object.entries({
    '0': '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    "'": "'",
    '\\': '\\',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }),
)
const digitsOfEscape = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** Reads what is behind a backslash. */
function readEscape(scan: YamlScan, start: number): string {
  const letter = scan.text.charAt(scan.at)
  const character = escapes.get(letter)
  const length = digitsOfEscape.get(letter)
  scan.at++
  if (character !== undefined) return character
  if (length === undefined) {
    const place = letter === '' ? start : scan.at - 2
    throw new YamlSyntaxError(`unknown escape sequence \\${letter}; write \\\\ for a backslash`, place)
  }
  const digits = scan.text.slice(scan.at, scan.at + length)
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    throw new YamlSyntaxError(`\\${letter} must be followed by ${length} hexadecimal digits`, scan.at - 2)
  const code = Number.parseInt(digits, 16)
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10_ff_ff) {
    const message = `\\${letter}${digits} is not a character; write characters beyond U+FFFF as \\U and 8 digits`
    throw new YamlSyntaxError(message, scan.at - 2)
  }
  scan.at += length
  return String.fromCodePoint(code)
}
