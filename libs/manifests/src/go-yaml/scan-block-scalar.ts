import type { ScalarToken, YamlScan } from './yaml-scan.ts'
import {
  YamlSyntaxError,
  codeAt,
  columnOf,
  endOfText,
  isBlank,
  isBreak,
  isBreakOrEnd,
  readBreak,
  skipBlanks,
  skipComment,
  skipSpaces,
  tab,
} from './yaml-scan.ts'

const header = /(?:([+-])([0-9])?|([0-9])([+-])?)?/y

/** Reads a literal (`|`) or folded (`>`) block. */
export function scanBlockScalar(scan: YamlScan): ScalarToken {
  const start = scan.at
  const isLiteral = scan.text.startsWith('|', start)
  header.lastIndex = ++scan.at
  const [indicators = '', chompFirst, digitAfter, digitFirst, chompAfter] = header.exec(scan.text) ?? []
  scan.at += indicators.length
  const chomp = chompFirst ?? chompAfter
  const digit = digitAfter ?? digitFirst
  if (digit === '0') throw new YamlSyntaxError('the indentation of a block must be 1 to 9', start)
  skipBlanks(scan)
  skipComment(scan)
  if (!isBreakOrEnd(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('only a comment may stand behind the header of a block', scan.at)
  readBreak(scan)
  const given = digit === undefined ? 0 : Math.max(scan.indent, 0) + Number(digit)
  const leading = readEmptyLines(scan, given)
  const valueStart = leading.start
  const value = readLines(scan, leading, isLiteral, chomp)
  return { type: 'scalar', start, valueStart, style: isLiteral ? 'literal' : 'folded', value }
}

function readLines(
  scan: YamlScan,
  leading: EmptyLines,
  isLiteral: boolean,
  chomp: string | undefined,
): string {
  const { indent } = leading
  const parts: string[] = []
  let { breaks } = leading
  let lastBreak = ''
  let isMoreIndented = false
  while (columnOf(scan) === indent && codeAt(scan, scan.at) !== endOfText) {
    const isBlankFirst = isBlank(codeAt(scan, scan.at))
    if (!isLiteral && !isMoreIndented && !isBlankFirst && lastBreak === '\n') {
      if (breaks === '') parts.push(' ')
    } else parts.push(lastBreak)
    isMoreIndented = isBlankFirst
    const from = scan.at
    while (!isBreakOrEnd(codeAt(scan, scan.at))) scan.at++
    parts.push(breaks, scan.text.slice(from, scan.at))
    lastBreak = readBreak(scan)
    breaks = readEmptyLines(scan, indent).breaks
  }
  if (chomp !== '-') parts.push(lastBreak)
  if (chomp === '+') parts.push(breaks)
  return parts.join('')
}

interface EmptyLines {
  breaks: string
  /** The indentation of the block, that of the first line with content unless it was given. */
  indent: number
  /** The offset of the first line. */
  start: number
}

/** Reads lines without content, and the indentation of the line behind them. `given` is 0 while the block's is not known. */
function readEmptyLines(scan: YamlScan, given: number): EmptyLines {
  const start = scan.at
  const most = given === 0 ? Infinity : given
  let breaks = ''
  let widest = 0
  for (;;) {
    skipSpaces(scan, most)
    widest = Math.max(widest, columnOf(scan))
    const code = codeAt(scan, scan.at)
    if (code === tab && columnOf(scan) < most)
      throw new YamlSyntaxError('tab characters must not be used in indentation', scan.at)
    if (!isBreak(code)) break
    breaks += readBreak(scan)
  }
  return { breaks, start, indent: given === 0 ? Math.max(widest, scan.indent + 1, 1) : given }
}
