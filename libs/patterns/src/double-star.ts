import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { joinNames, splitNames } from './path-names.ts'
import type { Refuse } from './path-names.ts'
import { anyName, anyNameCharacter, literally, nameCharacter } from './pattern-node.ts'
import type { CharacterRange, PatternNode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'

const maxPatternLength = 4096
const maxNesting = 100
const maxAlternatives = 256

/**
 * Returns what a pattern of Go's `bmatcuk/doublestar` v4 consists of, which Argo CD has for value files: a name `**` is any
 * number of names, also none, `*` any characters of a name, `?` one, `[abc]`, `[a-z]` one of a class, `[^a-z]` and
 * `[!a-z]` one that is not in it, `{a,b/c}` alternatives, `\` before a character taken as it is. A class never matches
 * `/`, as when files are looked for. `testdata/double-star.json` holds what doublestar answered.
 * @throws InvalidInputError that quotes the pattern and says what is wrong with it, also when it has more than 4096
 * characters, or when braces with a `/` or `**` in them stand for more than 256 patterns
 */
export function parseDoubleStar(pattern: string): PatternNode {
  const refuse: Refuse = (reason) =>
    new InvalidInputError(`pattern ${JSON.stringify(shortened(pattern))} ${reason}`)
  if (pattern.length > maxPatternLength) throw refuse(`has more than ${maxPatternLength} characters`)
  checkBraces(pattern, refuse)
  return {
    kind: 'choice',
    options: expanded(pattern, refuse).map((alternative) =>
      joinNames(
        splitNames(alternative).map((name) =>
          name === '**' ? name : readSequence(new PatternReader(name), false),
        ),
      ),
    ),
  }
}

/** A pattern in pieces: what is escaped, a whole class, or one character. */
const piecePattern = /\\.|\[(?![!^]\])[!^]?(?:\\.|[^\]\\])+\]|[^]/gsu

function checkBraces(pattern: string, refuse: Refuse): void {
  let depth = 0
  for (const [piece] of pattern.matchAll(piecePattern)) {
    if (piece === '{' && (depth += 1) > maxNesting) throw refuse(`nests more than ${maxNesting} braces`)
    else if (piece === '}' && (depth -= 1) < 0) throw refuse('has a "}" without "{"')
    else if (piece === '[') throw refuse('has a "[" class that is empty or not closed')
    else if (piece === '\\') throw refuse('ends in "\\"')
  }
  if (depth > 0) throw refuse('has a "{" without "}"')
}

/** Writes braces out that names do not end in: those with a `/` or `**` in them. */
function expanded(pattern: string, refuse: Refuse): string[] {
  const braces = firstBraces(pattern)
  if (!braces) return [pattern]
  const { before, alternatives, after } = braces
  const results = alternatives.flatMap((alternative) => expanded(`${before}${alternative}${after}`, refuse))
  if (results.length > maxAlternatives) throw refuse(`stands for more than ${maxAlternatives} alternatives`)
  return results
}

/** The first outer braces with a `/` or `**` in them, and what stands around them. */
function firstBraces(
  pattern: string,
): { before: string; alternatives: readonly string[]; after: string } | undefined {
  let depth = 0
  let open = 0
  let commas: number[] = []
  for (const { 0: piece, index } of pattern.matchAll(piecePattern)) {
    if (piece === '{' && (depth += 1) === 1) {
      open = index
      commas = [index]
    } else if (piece === ',' && depth === 1) commas.push(index)
    else if (piece === '}' && (depth -= 1) === 0) {
      const content = pattern.slice(open, index)
      if (!/\/|\*\*/.test(content)) continue
      const alternatives = commas.map((start, at) => pattern.slice(start + 1, commas[at + 1] ?? index))
      return { before: pattern.slice(0, open), alternatives, after: pattern.slice(index + 1) }
    }
  }
  return undefined
}

/** Reads up to the end of a name, or of one alternative inside braces. */
function readSequence(reader: PatternReader, inBraces: boolean): PatternNode {
  const parts: PatternNode[] = []
  for (;;) {
    const character = reader.peek()
    if (character === undefined || (inBraces && (character === ',' || character === '}'))) {
      return { kind: 'sequence', parts }
    }
    reader.take()
    if (character === '*') parts.push(anyName)
    else if (character === '?') parts.push(anyNameCharacter)
    else if (character === '[') parts.push(readClass(reader))
    else if (character === '{') parts.push(readAlternatives(reader))
    else parts.push(literally(character === '\\' ? (reader.take() ?? '') : character))
  }
}

function readAlternatives(reader: PatternReader): PatternNode {
  const options: PatternNode[] = []
  do options.push(readSequence(reader, true))
  while (reader.take() === ',')
  return { kind: 'choice', options }
}

/** Reads a class, of which the end is known to be there. */
function readClass(reader: PatternReader): PatternNode {
  const isNegated = reader.skip('!') || reader.skip('^')
  const takeCode = (): number => {
    const character = reader.take()
    return (character === '\\' ? reader.take() : character)?.codePointAt(0) ?? 0
  }
  const ranges: CharacterRange[] = []
  while (!reader.skip(']')) {
    const low = takeCode()
    const isRange = reader.peek() === '-' && reader.peek(1) !== ']'
    if (isRange) reader.take()
    ranges.push([low, isRange ? takeCode() : low])
  }
  return nameCharacter(ranges, isNegated)
}
