import { readsAsAnotherType } from './go-scalar.ts'

/** The form of a string in a manifest; a literal block is a header and lines, which its place indents. */
export type ScalarText = { inline: string } | { header: string; lines: string[] }

/** Strings that no rule of quoting can concern: most strings of most manifests. */
const surelyPlain = /^[A-Za-z/_$(\\^;<)][!-9;-~]*$/

/**
 * Returns a string as Argo CD's YAML encoder writes it: plain where a reader gets it back, else quoted, and a literal
 * block when it has line feeds. `indent` is the column to which the lines below the first are moved.
 *
 * Two differences: text with both a line feed and U+2028 or U+2029 is double quoted, because Argo CD's literal block of
 * it is not readable by YAML 1.2; and a literal block that begins with a tab says its indentation, because kubectl
 * cannot read Argo CD's.
 */
export function emitString(text: string, indent: number): ScalarText {
  if (surelyPlain.test(text) && (text.length > 5 || !readsAsAnotherType(text))) return { inline: text }
  const wellFormed = text.toWellFormed()
  if (wellFormed.includes('\n')) {
    return mustEscape(wellFormed) || /[\u2028\u2029]/.test(wellFormed)
      ? { inline: doubleQuoted(wellFormed) }
      : literalBlock(wellFormed)
  }
  if (readsAsAnotherType(wellFormed) || wellFormed.includes('\t') || mustEscape(wellFormed)) {
    return { inline: doubleQuoted(wellFormed) }
  }
  return { inline: needsQuotes.test(wellFormed) ? singleQuoted(wellFormed, indent) : wellFormed }
}

/** Returns whether a mapping key must be written in the explicit form `? key`. */
export function needsExplicitKey(key: string): boolean {
  // 128 bytes: no key of 42 UTF-16 units or fewer can have more.
  return (
    /[\n\r\u0085\u2028\u2029]/.test(key) || (key.length > 42 && new TextEncoder().encode(key).length > 128)
  )
}

const needsQuotes =
  /^[ #,[\]{}&*!|>'"%@`]|^[?:-](?:[ \t]|$)|^---|^\.\.\.|:(?:[ \t]|$)|[ \u2028\u2029]#| $|[\u2028\u2029]/

// What the encoder holds unprintable: all beyond the basic plane too.
const unprintable = /[^\t\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/

const spaceBesideBreak = / [\n\u2028\u2029]|[\u2028\u2029] /

/** Trailing space matters to blocks alone; the other conditions keep any style but double quotes from working. */
function mustEscape(text: string): boolean {
  return unprintable.test(text) || spaceBesideBreak.test(text) || (text.includes('\n') && text.endsWith(' '))
}

function literalBlock(text: string): ScalarText {
  const lines = text.split('\n')
  let chomping = '-'
  if (text.endsWith('\n')) {
    lines.pop()
    chomping = text === '\n' || text.endsWith('\n\n') ? '+' : ''
  }
  const indentation = /^[ \n\t]/.test(text) ? '2' : ''
  return { header: `|${indentation}${chomping}`, lines }
}

/** The encoder indents what follows a line separator, and readers of YAML 1.1 drop that again. */
function singleQuoted(text: string, indent: number): string {
  const indented = text.replaceAll(/([\u2028\u2029])(?![\u2028\u2029]|$)/g, `$1${' '.repeat(indent)}`)
  return `'${indented.replaceAll("'", "''")}'`
}

const shortEscapes = new Map([
  ['\0', '\\0'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\x1b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
])

function doubleQuoted(text: string): string {
  // The encoder looks for a byte order mark at the start of the text whatever character it writes.
  const escaped = text.startsWith('\ufeff')
    ? Array.from(text, escapeCharacter).join('')
    : text.replaceAll(/[^ !#-[\]-~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu, escapeCharacter)
  return `"${escaped}"`
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
