import { scanBlockScalar } from './scan-block-scalar.ts'
import { scanAnchor, scanDirective, scanTag } from './scan-names.ts'
import { scanPlain, scanQuoted } from './scan-scalars.ts'
import type { PossibleKey, YamlScan, YamlToken } from './yaml-scan.ts'
import {
  YamlSyntaxError,
  codeAt,
  columnOf,
  endOfText,
  isAtDocumentMarker,
  isBlank,
  isBreak,
  isGap,
  noKey,
  readBreak,
  skipBlanks,
  skipComment,
  skipSpaces,
} from './yaml-scan.ts'

/** Returns the next token without taking it. The token `stream end` comes last, and again. @throws YamlSyntaxError */
export function peekToken(scan: YamlScan): YamlToken {
  for (;;) {
    const token = scan.tokens[scan.head]
    // A colon that is yet to come may put a token in front of one that may be a key.
    if (token !== undefined && !mayBeKey(scan)) return token
    scanToken(scan)
  }
}

/** Takes the token that `peekToken` returned. */
export function takeToken(scan: YamlScan): void {
  if (scan.tokens[scan.head]?.type === 'stream end') return
  scan.head++
  scan.taken++
  if (scan.head < scan.tokens.length) return
  scan.tokens.length = 0
  scan.head = 0
}

function mayBeKey(scan: YamlScan): boolean {
  for (const key of scan.keys) {
    if (key.isPossible && key.token === scan.taken) return isStillPossible(scan, key)
  }
  return false
}

const maxKeyLength = 1024

/** A key is on one line and at most 1024 characters long. */
function isStillPossible(scan: YamlScan, key: PossibleKey): boolean {
  if (!key.isPossible) return false
  if (key.lineStart === scan.lineStart && lengthOf(scan, key.start) <= maxKeyLength) return true
  rejectMissingColon(key)
  key.isPossible = false
  return false
}

function lengthOf({ text, at }: YamlScan, start: number): number {
  const units = at - start
  return units <= maxKeyLength ? units : Array.from(text.slice(start, at)).length
}

function rejectMissingColon({ isRequired, start }: PossibleKey): void {
  if (isRequired) throw new YamlSyntaxError('a key must be followed by ": " on its line', start)
}

/** Notes that a key may begin here. */
function noteKey(scan: YamlScan): void {
  if (!scan.isKeyAllowed) return
  forgetKey(scan)
  scan.keys[scan.keys.length - 1] = {
    isPossible: true,
    isRequired: scan.flowLevel === 0 && scan.indent === columnOf(scan),
    token: scan.taken + scan.tokens.length - scan.head,
    start: scan.at,
    lineStart: scan.lineStart,
  }
}

function forgetKey(scan: YamlScan): void {
  const key = scan.keys.at(-1)
  if (key?.isPossible !== true) return
  rejectMissingColon(key)
  key.isPossible = false
}

/** Begins a block collection if the column is further in than the one around it. `number` is the token that it is put in front of. */
function indentTo(
  scan: YamlScan,
  column: number,
  start: number,
  type: 'block sequence' | 'block mapping',
  number?: number,
): void {
  if (scan.flowLevel > 0 || scan.indent >= column) return
  scan.indents.push(scan.indent)
  scan.indent = column
  insertToken(scan, { type, start }, number)
}

/** Ends the block collections that are further in than the column. */
function outdentTo(scan: YamlScan, column: number): void {
  if (scan.flowLevel > 0) return
  while (scan.indent > column) {
    scan.tokens.push({ type: 'block end', start: scan.at })
    scan.indent = scan.indents.pop() ?? -1
  }
}

function insertToken(scan: YamlScan, token: YamlToken, number?: number): void {
  if (number === undefined) scan.tokens.push(token)
  else scan.tokens.splice(number - scan.taken + scan.head, 0, token)
}

function skipToToken(scan: YamlScan): void {
  for (;;) {
    // Not where they would indent something.
    const mayHaveTabs = scan.flowLevel > 0 || !scan.isKeyAllowed
    if (mayHaveTabs) skipBlanks(scan)
    else skipSpaces(scan)
    skipComment(scan)
    if (!isBreak(codeAt(scan, scan.at))) return
    readBreak(scan)
    if (scan.flowLevel === 0) scan.isKeyAllowed = true
  }
}

function scanToken(scan: YamlScan): void {
  skipToToken(scan)
  outdentTo(scan, columnOf(scan))
  const code = codeAt(scan, scan.at)
  if (code === endOfText) return endStream(scan)
  if (scan.at === scan.lineStart && (code === percent || isAtDocumentMarker(scan))) {
    return scanDocumentLine(scan, code)
  }
  const character = scan.text.charAt(scan.at)
  const isIndicator = scan.flowLevel > 0 || isGap(codeAt(scan, scan.at + 1))
  switch (character) {
    case '[':
    case '{':
      return openFlow(scan, character)
    case ']':
    case '}':
      return closeFlow(scan, character)
    case ',':
      forgetKey(scan)
      scan.isKeyAllowed = true
      return pushIndicator(scan, ',')
    case '-':
      if (isGap(codeAt(scan, scan.at + 1))) return scanEntry(scan)
      break
    case '?':
      if (isIndicator) return scanKey(scan)
      break
    case ':':
      if (isIndicator) return scanValue(scan)
      break
  }
  scanContent(scan, character)
}

const percent = 0x25

/** Scans a token that a node may consist of. */
function scanContent(scan: YamlScan, character: string): void {
  if (scan.flowLevel === 0 && (character === '|' || character === '>')) {
    forgetKey(scan)
    scan.isKeyAllowed = true
    scan.tokens.push(scanBlockScalar(scan))
    return
  }
  noteKey(scan)
  const wasKeyAllowed = scan.isKeyAllowed
  scan.isKeyAllowed = false
  if (character === '*') scan.tokens.push(scanAnchor(scan, 'alias'))
  else if (character === '&') scan.tokens.push(scanAnchor(scan, 'anchor'))
  else if (character === '!') scan.tokens.push(scanTag(scan))
  else if (character === '"' || character === "'") scan.tokens.push(scanQuoted(scan))
  else if (beginsPlain(scan, character)) scan.tokens.push(scanPlain(scan))
  else throw notContent(scan, character, wasKeyAllowed)
}

function beginsPlain(scan: YamlScan, character: string): boolean {
  if (character === '-') return !isBlank(codeAt(scan, scan.at + 1))
  if (character === '?' || character === ':') return scan.flowLevel === 0
  return !'\t#|>%@`'.includes(character)
}

function notContent(scan: YamlScan, character: string, wasKeyAllowed: boolean): YamlSyntaxError {
  if (character === '\t' && wasKeyAllowed)
    return new YamlSyntaxError('tab characters must not be used in indentation', scan.at)
  return new YamlSyntaxError(
    `a value must not begin with ${character === '\t' ? 'a tab' : character}; put it in quotes`,
    scan.at,
  )
}

function endStream(scan: YamlScan): void {
  // No colon can make a key of what is before.
  scan.lineStart = scan.at
  outdentTo(scan, -1)
  forgetKey(scan)
  scan.isKeyAllowed = false
  scan.tokens.push({ type: 'stream end', start: scan.at })
}

function scanDocumentLine(scan: YamlScan, code: number): void {
  outdentTo(scan, -1)
  forgetKey(scan)
  scan.isKeyAllowed = false
  if (code === percent) {
    scan.tokens.push(scanDirective(scan))
    return
  }
  const type = scan.text.startsWith('-', scan.at) ? 'document start' : 'document end'
  scan.tokens.push({ type, start: scan.at })
  scan.at += 3
}

function openFlow(scan: YamlScan, type: '[' | '{'): void {
  noteKey(scan)
  scan.keys.push(noKey())
  scan.flowLevel++
  scan.isKeyAllowed = true
  pushIndicator(scan, type)
}

function closeFlow(scan: YamlScan, type: ']' | '}'): void {
  forgetKey(scan)
  if (scan.flowLevel > 0) {
    scan.flowLevel--
    scan.keys.pop()
  }
  scan.isKeyAllowed = false
  pushIndicator(scan, type)
}

function pushIndicator(scan: YamlScan, type: '[' | ']' | '{' | '}' | ',' | 'entry' | 'key' | 'value'): void {
  scan.tokens.push({ type, start: scan.at++ })
}

function scanEntry(scan: YamlScan): void {
  if (scan.flowLevel === 0) {
    if (!scan.isKeyAllowed)
      throw new YamlSyntaxError('a list must begin on a line of its own, below its key', scan.at)
    indentTo(scan, columnOf(scan), scan.at, 'block sequence')
  }
  forgetKey(scan)
  scan.isKeyAllowed = true
  pushIndicator(scan, 'entry')
}

function scanKey(scan: YamlScan): void {
  beginComplex(scan, 'a key with ? must begin on a line of its own')
  forgetKey(scan)
  scan.isKeyAllowed = scan.flowLevel === 0
  pushIndicator(scan, 'key')
}

function beginComplex(scan: YamlScan, message: string): void {
  if (scan.flowLevel > 0) return
  if (!scan.isKeyAllowed) throw new YamlSyntaxError(message, scan.at)
  indentTo(scan, columnOf(scan), scan.at, 'block mapping')
}

function scanValue(scan: YamlScan): void {
  const key = scan.keys.at(-1)
  if (key !== undefined && isStillPossible(scan, key)) {
    insertToken(scan, { type: 'key', start: key.start }, key.token)
    indentTo(scan, key.start - key.lineStart, key.start, 'block mapping', key.token)
    key.isPossible = false
    scan.isKeyAllowed = false
  } else {
    beginComplex(scan, 'bad indentation, or ": " in a text without quotes')
    scan.isKeyAllowed = scan.flowLevel === 0
  }
  pushIndicator(scan, 'value')
}
