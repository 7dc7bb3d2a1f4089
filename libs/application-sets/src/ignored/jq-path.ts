import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { type Condition, type Place, type PlaceStep, requireLength } from './kept-place.ts'

/**
 * Reads a path expression in a part of jq's language: `.a`, `.a.b`, `."a-b"`, `.["a-b"]`, `.a[0]`, `.a[-1]`, `.a[]`, `?`
 * after any of them, and `|` between paths and `select(…)`, which a path may follow and in which `==` and `!=` compare a path with a text, number,
 * true, false or null, with `and` between comparisons. Nothing else of jq is read, so that no expression can take long.
 * @throws InvalidInputError that says where the expression cannot be read
 */
export function readJqPath(expression: string): Place {
  requireLength(expression)
  const reader = new JqReader(expression)
  const place = reader.pipeline()
  reader.requireEnd()
  if (place.length === 0) throw new InvalidInputError(`${JSON.stringify(expression)} names the whole object`)
  return place
}

const identifier = /[A-Za-z_][A-Za-z0-9_]*/y
const quoted = /"(?:[^"\\]|\\.)*"/y
const number = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const integer = /-?[0-9]{1,9}(?=\s*\])/y
const space = /\s*/y
const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Reads an expression from left to right; it never goes back. */
class JqReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#match(space)
  }

  pipeline(): PlaceStep[] {
    const steps: PlaceStep[] = []
    do {
      if (!this.#startsWith('.')) steps.push(this.#select())
      if (this.#startsWith('.') || this.#startsWith('[')) steps.push(...this.#path())
    } while (this.#take('|'))
    return steps
  }

  requireEnd(): void {
    if (this.#at < this.#text.length) throw this.#unreadable('the end')
  }

  #select(): PlaceStep {
    if (this.#match(identifier) !== 'select')
      throw this.#unreadable('a path that begins with "." or select(…)')
    this.#match(space)
    this.#require('(')
    const conditions: Condition[] = []
    do conditions.push(this.#condition())
    while (this.#takeWord('and'))
    this.#require(')')
    return { kind: 'select', conditions }
  }

  #condition(): Condition {
    if (!this.#startsWith('.')) throw this.#unreadable('a path that begins with "."')
    const path = this.#path()
    if (path.some(({ kind }) => kind === 'each')) throw this.#unreadable('a path without []')
    const isEqual = this.#take('==')
    if (!isEqual) this.#require('!=')
    return { path, isEqual, value: this.#scalar() }
  }

  #path(): PlaceStep[] {
    const steps: PlaceStep[] = []
    for (;;) {
      if (this.#skip('.')) {
        const key = this.#match(identifier) ?? this.#quotedText()
        if (key !== undefined) steps.push({ kind: 'key', key })
        else if (this.#startsWith('.') || (steps.length > 0 && !this.#startsWith('['))) {
          throw this.#unreadable('a key')
        }
      } else if (this.#skip('[')) {
        steps.push(this.#bracket())
      } else if (steps.length === 0 || !this.#skip('?')) {
        this.#match(space)
        return steps
      }
    }
  }

  #bracket(): PlaceStep {
    this.#match(space)
    if (this.#skip(']')) return { kind: 'each' }
    const key = this.#quotedText()
    const index = key === undefined ? this.#match(integer) : undefined
    if (key === undefined && index === undefined) throw this.#unreadable('a whole number, a quoted key or ]')
    this.#match(space)
    if (!this.#skip(']')) throw this.#unreadable(']')
    return key === undefined ? { kind: 'index', index: Number(index) } : { kind: 'key', key }
  }

  #scalar(): Condition['value'] {
    const text = this.#quotedText()
    const digits = text === undefined ? this.#match(number) : undefined
    const word = text === undefined && digits === undefined ? this.#match(identifier) : undefined
    this.#match(space)
    if (text !== undefined) return text
    if (digits !== undefined) return Number(digits)
    const value = words.get(word ?? '')
    if (value === undefined) throw this.#unreadable('a quoted text, a number, true, false or null')
    return value
  }

  #quotedText(): string | undefined {
    const start = this.#at
    const text = this.#match(quoted)
    if (text === undefined) return undefined
    const value = unquoted(text)
    if (value !== undefined) return value
    this.#at = start
    throw this.#unreadable('a string as in JSON')
  }

  #startsWith(token: string): boolean {
    return this.#text.startsWith(token, this.#at)
  }

  #skip(token: string): boolean {
    if (!this.#startsWith(token)) return false
    this.#at += token.length
    return true
  }

  /** Skips a token and the space after it, which may not stand within a path. */
  #take(token: string): boolean {
    const isThere = this.#skip(token)
    if (isThere) this.#match(space)
    return isThere
  }

  #takeWord(word: string): boolean {
    const start = this.#at
    if (this.#match(identifier) === word) {
      this.#match(space)
      return true
    }
    this.#at = start
    return false
  }

  #require(token: string): void {
    if (!this.#take(token)) throw this.#unreadable(`"${token}"`)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found === undefined) return undefined
    this.#at += found.length
    return found
  }

  #unreadable(wanted: string): InvalidInputError {
    return new InvalidInputError(
      `${JSON.stringify(this.#text)} cannot be read at character ${this.#at + 1}: ${wanted} is expected`,
    )
  }
}

/** The text of a JSON literal; undefined for one that is none, or that puts values into itself as jq's `\(…)` does. */
function unquoted(literal: string): string | undefined {
  try {
    const value: unknown = JSON.parse(literal)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
