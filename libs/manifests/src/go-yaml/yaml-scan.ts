import type { ScalarStyle } from './yaml-event.ts'

/** A text that Go's YAML libraries refuse. */
export class YamlSyntaxError extends Error {
  /** The offset in the text. */
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

interface Token<Type extends string> {
  readonly type: Type
  readonly start: number
}

/** A scalar with its value. */
export interface ScalarToken extends Token<'scalar'> {
  readonly value: string
  readonly style: ScalarStyle
  readonly valueStart: number
}

/** A tag: handle and suffix, of which the handle is empty for a tag that is complete. */
export interface TagToken extends Token<'tag'> {
  readonly handle: string
  readonly suffix: string
}

/** A word of the syntax of YAML; `[`, `{`, `key` and the like are without more. */
export type YamlToken =
  | ScalarToken
  | TagToken
  | (Token<'anchor' | 'alias'> & { readonly value: string })
  | (Token<'version directive'> & { readonly version: string })
  | (Token<'tag directive'> & { readonly handle: string; readonly prefix: string })
  | Token<
      | 'document start'
      | 'document end'
      | 'stream end'
      | 'block sequence'
      | 'block mapping'
      | 'block end'
      | '['
      | ']'
      | '{'
      | '}'
      | ','
      | 'entry'
      | 'key'
      | 'value'
    >

/** A place where a key without `?` may have begun, which only a colon behind it will tell. */
export interface PossibleKey {
  isPossible: boolean
  /** True when nothing but a key may stand there. */
  isRequired: boolean
  /** The number of its token, counted from the begin of the text. */
  token: number
  start: number
  lineStart: number
}

/** A text on its way to tokens. */
export interface YamlScan {
  readonly text: string
  /** The offset that is read next. */
  at: number
  /** The offset at which its line begins. */
  lineStart: number
  /** The number of open flow collections. */
  flowLevel: number
  /** The column of the innermost block collection; -1 outside of all. */
  indent: number
  /** Those around it. */
  readonly indents: number[]
  /** True when a key without `?` may begin here. */
  isKeyAllowed: boolean
  /** One for what is outside of flow collections, and one for each that is open. */
  readonly keys: PossibleKey[]
  /** The tokens from `head` on wait to be taken. */
  readonly tokens: YamlToken[]
  head: number
  /** The number of tokens taken. */
  taken: number
}

/** The code of no character: behind the end of the text. */
export const endOfText = -1
export const tab = 0x09
const space = 0x20
export const hash = 0x23
const lineFeed = 0x0a
const carriageReturn = 0x0d
const nextLine = 0x85

/** Begins to scan a text, without its byte order mark. @throws YamlSyntaxError for a character that YAML does not allow */
export function beginScan(text: string): YamlScan {
  const start = text.startsWith('\ufeff') ? 1 : 0
  rejectCharacters(text, start)
  return {
    text,
    at: start,
    lineStart: start,
    flowLevel: 0,
    indent: -1,
    indents: [],
    isKeyAllowed: true,
    keys: [noKey()],
    tokens: [],
    head: 0,
    taken: 0,
  }
}

/** Returns the state in which no key can have begun. */
export function noKey(): PossibleKey {
  return { isPossible: false, isRequired: false, token: 0, start: 0, lineStart: 0 }
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const refusedCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u

function rejectCharacters(text: string, start: number): void {
  if (text.startsWith('\ufeff', start) && start > 0)
    throw new YamlSyntaxError('the text begins with two byte order marks', start)
  const found = refusedCharacter.exec(text)
  if (found === null) return
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw new YamlSyntaxError(
    `the control character U+${code} is not allowed; write "\\u${code}" in quotes`,
    found.index,
  )
}

/** Returns the character code at an offset, or `endOfText`. */
export function codeAt({ text }: YamlScan, offset: number): number {
  return offset < text.length ? text.charCodeAt(offset) : endOfText
}

/** Returns whether a character ends a line: also those of YAML 1.1 that are none in YAML 1.2. */
export function isBreak(code: number): boolean {
  return (
    code === lineFeed || code === carriageReturn || code === nextLine || code === 0x2028 || code === 0x2029
  )
}

export function isBlank(code: number): boolean {
  return code === space || code === tab
}

/** Returns whether a character is blank, ends a line, or is behind the end of the text. */
export function isGap(code: number): boolean {
  return code <= space || (code >= nextLine && isBreak(code))
}

export function isBreakOrEnd(code: number): boolean {
  return code === endOfText || isBreak(code)
}

/** Returns whether a character may be part of a directive's name, an anchor or a handle. */
export function isNameCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f ||
    code === 0x2d
  )
}

export function columnOf({ at, lineStart }: YamlScan): number {
  return at - lineStart
}

/** Goes behind the end of a line, if there is one, and returns what it becomes in a value. */
export function readBreak(scan: YamlScan): string {
  const code = codeAt(scan, scan.at)
  if (!isBreak(code)) return ''
  scan.at += code === carriageReturn && codeAt(scan, scan.at + 1) === lineFeed ? 2 : 1
  scan.lineStart = scan.at
  return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n'
}

/** Goes to the next character that is not blank. */
export function skipBlanks(scan: YamlScan): void {
  while (isBlank(codeAt(scan, scan.at))) scan.at++
}

/** Goes to the next character that is no space, at most up to a column. */
export function skipSpaces(scan: YamlScan, column = Infinity): void {
  const end = scan.lineStart + column
  while (scan.at < end && codeAt(scan, scan.at) === space) scan.at++
}

/** Goes to the end of the line if a comment begins here. */
export function skipComment(scan: YamlScan): void {
  if (codeAt(scan, scan.at) !== hash) return
  while (!isBreakOrEnd(codeAt(scan, scan.at))) scan.at++
}

/** Reads characters of names. */
export function readName(scan: YamlScan): string {
  const start = scan.at
  while (isNameCharacter(codeAt(scan, scan.at))) scan.at++
  return scan.text.slice(start, scan.at)
}

/** Returns whether `---` or `...` stands here, at the begin of a line, with a gap behind it. */
export function isAtDocumentMarker(scan: YamlScan): boolean {
  const { text, at, lineStart } = scan
  if (at !== lineStart) return false
  return (text.startsWith('---', at) || text.startsWith('...', at)) && isGap(codeAt(scan, at + 3))
}
