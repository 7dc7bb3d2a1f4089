import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseDoubleStar } from '@wadi/patterns/double-star.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { isBelow, nameOf } from './repository-path.ts'

/** The change that git makes to a file when it writes a checkout, by gitattributes(5). */
export interface CheckoutChange {
  /** Line ends become CRLF: those of any file, or those of a text that has none yet. */
  readonly crlf: 'any' | 'text' | undefined
  /** `$Id$` gets the id of the object. */
  readonly ident: boolean
  /** The encoding that the file is written in; empty for UTF-8. */
  readonly encoding: string
}

/** A file `.gitattributes`. */
export interface AttributesFile {
  /** The directory that it is in. */
  readonly directory: string
  readonly text: string
}

/** The rules of one of them. */
interface AttributeRules {
  readonly directory: string
  readonly rules: readonly Rule[]
}

interface Rule {
  /** True if the pattern is for names at any depth. */
  readonly isForNames: boolean
  readonly matches: Matcher
  readonly values: ReadonlyMap<string, string>
}

const names = new Set(['text', 'eol', 'ident', 'working-tree-encoding'])

/** The most comparisons of a path with a rule in one search; what comes after them has no change. */
const maxComparisons = 500_000

/** Reads a `.gitattributes`; lines that decide nothing of a checkout are left out, as are macros. */
function readAttributes({ directory, text }: AttributesFile): AttributeRules {
  return { directory, rules: text.split('\n').flatMap((line) => readRule(line) ?? []) }
}

function readRule(line: string): Rule | undefined {
  const [, quoted, plain = '', attributes = ''] =
    /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"!]\S*))\s+(.*)$/su.exec(line) ?? []
  const pattern = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain
  const values = new Map(attributes.split(/\s+/).flatMap(readValue))
  if (values.size === 0 || pattern.startsWith('[attr]')) return undefined
  const isForNames = !pattern.includes('/')
  const inDirectory = isForNames ? pattern : pattern.replace(/^\//, '')
  const withoutBraces = inDirectory.replaceAll(/\\.|[{}]/g, (piece) =>
    piece.length > 1 ? piece : `\\${piece}`,
  )
  try {
    return { isForNames, matches: compileMatcher(parseDoubleStar(withoutBraces)), values }
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined
    throw error
  }
}

function readValue(word: string): [string, string][] {
  const [, sign = '', name = '', value] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(word) ?? []
  if (name === 'binary' && sign === '') return [['text', 'false']]
  if (!names.has(name)) return []
  if (sign === '!') return [[name, '']]
  return [[name, sign === '-' ? 'false' : (value ?? 'true')]]
}

/** True if a file changes others in a checkout, should a path match. */
export function changesSomething(file: AttributesFile): boolean {
  return readAttributes(file).rules.some(({ values }) => changeOf(values) !== undefined)
}

/**
 * Returns the files that git changes in a checkout.
 * @param attributes the file of a directory before those of directories in it
 */
export function checkoutChanges(
  paths: Iterable<string>,
  attributes: readonly AttributesFile[],
): ReadonlyMap<string, CheckoutChange> {
  const all = attributes.map(readAttributes)
  const changes = new Map<string, CheckoutChange>()
  let left = maxComparisons
  for (const path of paths) {
    const values = new Map<string, string>()
    for (const { directory, rules } of all) {
      if (!isBelow(path, directory)) continue
      left -= rules.length
      if (left < 0) return changes
      const below = directory === '' ? path : path.slice(directory.length + 1)
      for (const rule of rules) {
        if (!rule.matches(rule.isForNames ? nameOf(path) : below)) continue
        for (const [name, value] of rule.values) values.set(name, value)
      }
    }
    const change = changeOf(values)
    if (change) changes.set(path, change)
  }
  return changes
}

function changeOf(values: ReadonlyMap<string, string>): CheckoutChange | undefined {
  const text = values.get('text')
  const isCrlf = values.get('eol') === 'crlf' && text !== 'false'
  const encoding = values.get('working-tree-encoding') ?? ''
  const change: CheckoutChange = {
    crlf: isCrlf ? (text === 'auto' ? 'text' : 'any') : undefined,
    ident: values.get('ident') === 'true',
    encoding: /^(?:true|false|utf-?8)?$/i.test(encoding) ? '' : encoding,
  }
  return change.crlf || change.ident || change.encoding !== '' ? change : undefined
}

/**
 * Returns a file as it is in a checkout: line ends and `$Id$` as git writes them; of another encoding only that bytes are others,
 * and which ones if it is UTF-16LE or Latin-1.
 * @param id of the object
 */
export function inCheckout(content: Buffer, change: CheckoutChange, id: string): Buffer {
  let text = content.toString('latin1')
  const hasOwn = text.includes('\r') || text.includes('\0')
  if (change.ident) text = text.replaceAll(/\$Id(?::[^$\n]*)?\$/g, `$$Id: ${id} $$`)
  if (change.crlf === 'any' || (change.crlf === 'text' && !hasOwn))
    text = text.replaceAll(/(?<!\r)\n/g, '\r\n')
  const written = Buffer.from(text, 'latin1')
  if (change.encoding === '') return written
  return Buffer.from(written.toString(), /^utf-?16/i.test(change.encoding) ? 'utf16le' : 'latin1')
}
