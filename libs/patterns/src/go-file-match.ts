import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { joinNames, splitNames } from './path-names.ts'
import type { Refuse } from './path-names.ts'
import { anyName, anyNameCharacter, literally, nameCharacter } from './pattern-node.ts'
import type { CharacterRange, PatternNode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'

/**
 * Returns what a pattern of Go's `path.Match` and `filepath.Glob` consists of: `*` any characters of a name, `?` one,
 * `[abc]` and `[a-z]` one of a class, `[^a-z]` one that is not in it, `\` before a character taken as it is. There are no
 * braces. `testdata/go-file-match.json` holds what Go answered.
 * @param directories `'any'` lets the name `**` stand for any number of names, also none; else it is `*`, as in Go
 * @throws InvalidInputError that quotes the pattern and says what is wrong with it, for patterns that Go refuses
 */
export function parseGoFileMatch(pattern: string, directories: 'any' | 'one' = 'one'): PatternNode {
  const refuse: Refuse = (reason) =>
    new InvalidInputError(`pattern ${JSON.stringify(shortened(pattern))} ${reason}`)
  return joinNames(
    splitNames(pattern).map((name) =>
      directories === 'any' && name === '**' ? name : readName(name, refuse),
    ),
  )
}

function readName(name: string, refuse: Refuse): PatternNode {
  const reader = new PatternReader(name)
  const parts: PatternNode[] = []
  for (let character = reader.take(); character !== undefined; character = reader.take()) {
    if (character === '*') parts.push(anyName)
    else if (character === '?') parts.push(anyNameCharacter)
    else if (character === '[') parts.push(readClass(reader, refuse))
    else parts.push(literally(character === '\\' ? escaped(reader, refuse) : character))
  }
  return { kind: 'sequence', parts }
}

function escaped(reader: PatternReader, refuse: Refuse): string {
  const character = reader.take()
  if (character === undefined) throw refuse('ends in "\\"')
  if (character === '/') throw refuse('has "\\/": "/" is always written plain')
  return character
}

function readClass(reader: PatternReader, refuse: Refuse): PatternNode {
  const isNegated = reader.skip('^')
  const ranges: CharacterRange[] = []
  while (ranges.length === 0 || !reader.skip(']')) {
    const low = readMember(reader, refuse)
    ranges.push([low, reader.skip('-') ? readMember(reader, refuse) : low])
  }
  return nameCharacter(ranges, isNegated)
}

function readMember(reader: PatternReader, refuse: Refuse): number {
  let member = reader.take()
  if (member === '-' || member === ']') throw refuse(`has an unescaped "${member}" in a "[" class`)
  if (member === '\\') member = reader.take()
  if (member === undefined) throw refuse('has a "[" without "]"')
  if (member === '/') throw refuse('has a "/" in a "[" class')
  return member.codePointAt(0) ?? 0
}
