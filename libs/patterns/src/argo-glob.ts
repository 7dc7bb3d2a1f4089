import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { compileMatcher } from './automaton.ts'
import type { Matcher } from './matcher.ts'
import { anyCharacter, anyText, literally, noneOf } from './pattern-node.ts'
import type { PatternNode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'

const maxPatternLength = 4096
const maxNesting = 100
const plainCharacters = Array.from('xyzabcdefghijklmnopqrstuvw0123456789-')

/**
 * Compiles a glob of Argo CD, which is one of gobwas/glob v0.2.3: `*` any text without a separator, `**` any text, `?`
 * one character but a separator, `[abc]`, `[a-z]` (a list or one range), `[!abc]`, `{one,two}`, `\` before a character
 * taken as it is. The whole text has to match, in upper and lower case as written. `testdata/argo-globs.json` holds what
 * gobwas/glob answered.
 * @param separators characters that `*` and `?` do not match; none by default, as for policies and directory sources.
 * Argo CD has `/` for `sourceRepos`
 * @throws InvalidInputError for what gobwas/glob refuses, for example `[` or `[a-zA-Z]`, and for more than 4096 characters.
 * In Argo CD such a pattern matches nothing
 */
export function compileArgoGlob(pattern: string, separators = ''): Matcher {
  if (pattern.length > maxPatternLength) {
    throw new InvalidInputError(`a glob pattern may have ${maxPatternLength} characters`)
  }
  return separators === '' && !/[?[{\\]/.test(pattern)
    ? starMatcher(pattern.split(/\*+/))
    : compileMatcher(parseArgoGlob(pattern, separators))
}

/**
 * Returns what a glob consists of.
 * @throws InvalidInputError as `compileArgoGlob` does.
 */
export function parseArgoGlob(pattern: string, separators = ''): PatternNode {
  return readSequence({ reader: new PatternReader(pattern), separators }, 0)
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

interface Reading {
  readonly reader: PatternReader
  readonly separators: string
}

/** Reads up to the end of the pattern, or of one alternative inside braces. */
function readSequence(reading: Reading, nesting: number): PatternNode {
  const { reader, separators } = reading
  const one = separators === '' ? anyCharacter : noneOf(separators)
  const parts: PatternNode[] = []
  for (;;) {
    const character = reader.peek()
    if (character === undefined || (nesting > 0 && (character === ',' || character === '}'))) {
      return { kind: 'sequence', parts }
    }
    reader.take()
    if (character === '*') parts.push(reader.skip('*') ? anyText : { kind: 'repeat', part: one })
    else if (character === '?') parts.push(one)
    else if (character === '[') parts.push(readClass(reader))
    else if (character === '{') parts.push(readAlternatives(reading, nesting + 1))
    else if (character !== '\\') parts.push(literally(character))
    else parts.push(literally(reader.take() ?? ''))
  }
}

/** A brace that is not closed ends with the pattern, as in gobwas/glob. */
function readAlternatives(reading: Reading, nesting: number): PatternNode {
  const { reader } = reading
  if (nesting > maxNesting) throw invalid(reader, `nests more than ${maxNesting} braces`)
  const options: PatternNode[] = []
  do options.push(readSequence(reading, nesting))
  while (reader.take() === ',')
  return { kind: 'choice', options }
}

function readClass(reader: PatternReader): PatternNode {
  const isNegated = reader.skip('!')
  const members = reader.peek(1) === '-' ? readRange(reader) : readList(reader)
  const accepts = (character: string) => members.has(character) !== isNegated
  const example = [...members.examples, ...plainCharacters].find(accepts)
  if (reader.take() !== ']') throw unclosed(reader)
  return { kind: 'character', accepts, ...(example === undefined ? {} : { example }) }
}

/** The characters of a class, and some of them. */
interface Members {
  has(character: string): boolean
  readonly examples: Iterable<string>
}

function readRange(reader: PatternReader): Members {
  const low = required(reader)
  reader.take()
  const high = required(reader)
  if (codePoint(high) < codePoint(low)) throw invalid(reader, 'has a range whose end is before its start')
  const has = (character: string): boolean =>
    codePoint(low) <= codePoint(character) && codePoint(character) <= codePoint(high)
  return { has, examples: [low] }
}

function readList(reader: PatternReader): Members {
  const characters = new Set<string>()
  while (reader.peek() !== ']') {
    const character = required(reader)
    characters.add(character === '\\' ? required(reader) : character)
  }
  if (characters.size === 0) throw invalid(reader, 'has an empty class')
  return { has: (character) => characters.has(character), examples: characters }
}

function required(reader: PatternReader): string {
  const character = reader.take()
  if (character === undefined) throw unclosed(reader)
  return character
}

function unclosed(reader: PatternReader): InvalidInputError {
  return invalid(
    reader,
    'has a class that is not closed, or is neither a list nor a single range such as [a-z]',
  )
}

function invalid({ pattern }: PatternReader, message: string): InvalidInputError {
  return new InvalidInputError(`glob ${JSON.stringify(shortened(pattern))} ${message}`)
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0
}
