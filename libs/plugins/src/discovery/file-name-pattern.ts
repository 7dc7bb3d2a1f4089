import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Token } from './wildcard.ts'

/** Whether a name of the pattern stands for several: `*`, `?`, `[…]` or an escape in it. */
export function isFileNameWild(text: string): boolean {
  return /[*?[\\]/.test(text)
}

/**
 * The tokens of a pattern of Go's `filepath.Glob`: `*`, `?`, `[a-z]`, `[^x]` and `\` before a character; no braces, and
 * `**` is `*`.
 *
 * @throws InvalidInputError in Argo CD's words for a class that does not end or an escape of nothing.
 */
export function fileNameTokens(pattern: string): Token[] {
  const characters = Array.from(pattern)
  const tokens: Token[] = []
  let index = 0
  const next = (): string => {
    const character = characters[index++]
    if (character === undefined || character === '/') throw badPattern(pattern)
    return character
  }
  /** A character of a class, where `-` and `]` need an escape. */
  const inClass = (): string => {
    const character = next()
    if (character === '-' || character === ']') throw badPattern(pattern)
    return character === '\\' ? next() : character
  }
  while (index < characters.length) {
    const character = characters[index++] ?? ''
    if (character === '*') tokens.push({ kind: 'many' })
    else if (character === '?') tokens.push({ kind: 'any' })
    else if (character === '\\') tokens.push({ kind: 'character', character: next() })
    else if (character === '[') {
      const negated = characters[index] === '^'
      if (negated) index++
      const ranges: [string, string][] = []
      do {
        const from = inClass()
        const isRange = characters[index] === '-'
        if (isRange) index++
        ranges.push([from, isRange ? inClass() : from])
      } while (characters[index] !== ']')
      index++
      tokens.push({ kind: 'class', negated, ranges })
    } else tokens.push({ kind: 'character', character })
  }
  return tokens
}

function badPattern(pattern: string): InvalidInputError {
  return new InvalidInputError(
    `error finding filename match for pattern ${JSON.stringify(pattern)}: syntax error in pattern`,
  )
}
