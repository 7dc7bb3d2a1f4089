import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileAutomaton } from './automaton.ts'
import type { Matcher, PatternNode } from './automaton.ts'

const anyCharacter: PatternNode = { kind: 'character', accepts: () => true, example: 'x' }
const anyText: PatternNode = { kind: 'repeat', part: anyCharacter, least: 0, most: Infinity }
const plainCharacters = Array.from('xyzabcdefghijklmnopqrstuvw0123456789-')

/**
 * Compiles a glob of gobwas/glob without separators, which Argo CD uses: `*` any text, `/` and the empty one included,
 * `?` one character, `[abc]`, `[a-z]` (one range), `[!abc]`, `{one,two}`, `\` before a character taken as it is.
 * The whole text has to match, in upper and lower case as written.
 * @throws InvalidInputError for what gobwas/glob refuses, for example `[` or `[a-zA-Z]`; such a pattern matches nothing.
 */
export function compileGlob(pattern: string): Matcher {
  return /[?[{\\]/.test(pattern)
    ? compileAutomaton(parseGlob(pattern), true)
    : starMatcher(pattern.split(/\*+/))
}

/**
 * Returns what a glob consists of.
 * @throws InvalidInputError as `compileGlob` does.
 */
export function parseGlob(pattern: string): PatternNode {
  return new GlobParser(pattern).parse()
}

/** Matches texts with anything between them, the usual patterns, without an automaton. */
function starMatcher(parts: readonly string[]): Matcher {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return (text) => text === first
  if (first === '' && last === '' && others.length === 0) return () => true
  return (text) => {
    const end = text.length - last.length
    let position = first.length
    if (position > end || !text.startsWith(first) || !text.endsWith(last)) return false
    for (const part of others) {
      const found = text.indexOf(part, position)
      if (found === -1) return false
      position = found + part.length
    }
    return position <= end
  }
}

class GlobParser {
  readonly #pattern: readonly string[]
  #position = 0

  constructor(pattern: string) {
    this.#pattern = Array.from(pattern)
  }

  parse(): PatternNode {
    return this.#sequence(false)
  }

  /** Reads up to the end of the pattern, or of one alternative inside braces. */
  #sequence(inBraces: boolean): PatternNode {
    const parts: PatternNode[] = []
    for (;;) {
      const character = this.#pattern[this.#position]
      if (character === undefined || (inBraces && (character === ',' || character === '}'))) {
        return { kind: 'sequence', parts }
      }
      this.#position++
      if (character === '*') parts.push(anyText)
      else if (character === '?') parts.push(anyCharacter)
      else if (character === '[') parts.push(this.#class())
      else if (character === '{') parts.push(this.#alternatives())
      else if (character !== '\\') parts.push(exactly(character))
      else if (this.#position < this.#pattern.length) parts.push(exactly(this.#take()))
    }
  }

  /** A brace that is not closed ends with the pattern, as in gobwas/glob. */
  #alternatives(): PatternNode {
    const options: PatternNode[] = []
    do options.push(this.#sequence(true))
    while (this.#pattern[this.#position++] === ',')
    return { kind: 'choice', options }
  }

  #class(): PatternNode {
    const negated = this.#pattern[this.#position] === '!'
    if (negated) this.#position++
    const start = this.#position
    const isMember = this.#pattern[this.#position + 1] === '-' ? this.#range() : this.#list()
    const accepts = (character: string) => isMember(character) !== negated
    const example = [...this.#pattern.slice(start, this.#position), ...plainCharacters].find(accepts)
    if (this.#take() !== ']') throw this.#unclosed()
    return { kind: 'character', accepts, ...(example === undefined ? {} : { example }) }
  }

  #range(): (character: string) => boolean {
    const low = codePoint(this.#take())
    this.#position++
    const high = codePoint(this.#take())
    if (high < low) throw this.#fault('has a range whose end is before its start')
    return (character) => low <= codePoint(character) && codePoint(character) <= high
  }

  #list(): (character: string) => boolean {
    const characters = new Set<string>()
    while (this.#pattern[this.#position] !== ']') {
      const character = this.#take()
      characters.add(character === '\\' ? this.#take() : character)
    }
    if (characters.size === 0) throw this.#fault('has an empty class')
    return (character) => characters.has(character)
  }

  #take(): string {
    const character = this.#pattern[this.#position++]
    if (character === undefined) throw this.#unclosed()
    return character
  }

  #unclosed(): InvalidInputError {
    return this.#fault('has a class that is no list and no single range, or is not closed')
  }

  #fault(message: string): InvalidInputError {
    return new InvalidInputError(`glob ${JSON.stringify(this.#pattern.join(''))} ${message}`)
  }
}

function exactly(expected: string): PatternNode {
  return { kind: 'character', accepts: (character) => character === expected, example: expected }
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}
