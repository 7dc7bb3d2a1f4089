import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { anyName, anyText, literally, nameCharacter, optional } from './pattern-node.ts'
import type { CharacterRange, PatternNode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'

/**
 * Returns what a pattern of Go's `mattn/go-zglob` v0.0.6 consists of, which Argo CD has for a plugin's `find.glob`: `**` and
 * a slash, in a name too, are nothing or any text that ends in `/`, `*` any characters of a name, `{a,b/c}` one of plain
 * texts, `[a-z]` one character, `[^a-z]` one that is not in it, `\` before a character taken as it is. `?` is itself.
 * `testdata/zglobs.json` holds what go-zglob answered.
 * @throws InvalidInputError for a brace or class that is not closed
 */
export function parseZglob(pattern: string): PatternNode {
  const reader = new PatternReader(pattern)
  const parts: PatternNode[] = []
  for (;;) {
    if (reader.skip('**/')) {
      parts.push(optional({ kind: 'sequence', parts: [anyText, literally('/')] }))
      continue
    }
    // An empty class is nothing in go-zglob, and an empty brace its end.
    if (reader.skip('[]')) continue
    const next = reader.skip('{}') ? literally('}') : readPiece(reader)
    if (!next) return { kind: 'sequence', parts }
    parts.push(next)
  }
}

/** Reads a class, a brace or a character; undefined at the end. */
function readPiece(reader: PatternReader): PatternNode | undefined {
  const character = reader.take()
  if (character === undefined) return undefined
  if (character === '*') return anyName
  if (character === '[') return classOf(required(reader, '[', ']'))
  if (character === '{')
    return { kind: 'choice', options: required(reader, '{', '}').split(',').map(literally) }
  // One at the end stands for itself.
  return literally(character === '\\' ? (reader.take() ?? '\\') : character)
}

function required(reader: PatternReader, open: string, close: string): string {
  const content = reader.takeUntil(close)
  if (content !== undefined) return content
  throw new InvalidInputError(`glob ${JSON.stringify(shortened(reader.pattern))}: "${open}" is not closed`)
}

function classOf(content: string): PatternNode {
  const isNegated = content.startsWith('^')
  const characters = Array.from(isNegated ? content.slice(1) : content)
  const ranges: CharacterRange[] = []
  for (let index = 0; index < characters.length; index++) {
    const from = codePoint(characters[index])
    const to = characters[index + 2]
    if (characters[index + 1] === '-' && to !== undefined) {
      ranges.push([from, codePoint(to)])
      index += 2
    } else ranges.push([from, from])
  }
  return nameCharacter(ranges, isNegated)
}

function codePoint(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0
}
