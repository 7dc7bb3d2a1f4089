import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { Token } from './wildcard.ts'

const maxAlternatives = 256

/** Whether a part of the pattern stands for several paths; without `*` and `{` all characters are themselves. */
export function isGlobWild(text: string): boolean {
  return /[*{]/.test(text)
}

/**
 * The lists of tokens of a pattern of go-zglob, one for each choice of its alternatives: a `**` before a slash is any
 * number of folders, `*` anything in a name, `{a,b}` one of texts, `[a-z]` one character; `?` is itself.
 *
 * @throws InvalidInputError for a brace or class that does not end.
 * @throws ResourceExhaustedError for more than 256 choices.
 */
export function globTokens(pattern: string): Token[][] {
  let choices: Token[][] = [[]]
  const append = (alternatives: readonly (readonly Token[])[]) => {
    if (choices.length * alternatives.length > maxAlternatives) {
      throw new ResourceExhaustedError(
        `glob ${JSON.stringify(pattern)} has more than ${maxAlternatives} choices`,
      )
    }
    choices = choices.flatMap((choice) => alternatives.map((alternative) => [...choice, ...alternative]))
  }
  let rest = pattern
  while (rest !== '') {
    const [alternatives, length] = nextPiece(rest, pattern)
    append(alternatives)
    rest = rest.slice(length)
  }
  return choices
}

function nextPiece(rest: string, pattern: string): [alternatives: Token[][], length: number] {
  if (rest.startsWith('**/')) return [[[{ kind: 'folders' }]], 3]
  if (rest.startsWith('*')) return [[[{ kind: 'many' }]], 1]
  const first = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  // go-zglob takes the end of an empty one for itself.
  if (rest.startsWith('[]') || rest.startsWith('{}')) return [[charactersOf(rest.charAt(1))], 2]
  if (first === '[' || first === '{') {
    const end = rest.indexOf(first === '[' ? ']' : '}')
    if (end === -1) {
      throw new InvalidInputError(`glob ${JSON.stringify(pattern)}: "${first}" is not closed`)
    }
    const content = rest.slice(1, end)
    const alternatives = first === '[' ? [[classOf(content)]] : content.split(',').map(charactersOf)
    return [alternatives, end + 1]
  }
  const escaped = first === '\\' ? rest.slice(1).codePointAt(0) : undefined
  if (escaped === undefined) return [[charactersOf(first)], first.length]
  const character = String.fromCodePoint(escaped)
  return [[charactersOf(character)], 1 + character.length]
}

function charactersOf(text: string): Token[] {
  return Array.from(text, (character) => ({ kind: 'character', character }))
}

function classOf(content: string): Token {
  const negated = content.startsWith('^')
  const characters = Array.from(negated ? content.slice(1) : content)
  const ranges: [string, string][] = []
  for (let index = 0; index < characters.length; index++) {
    const from = characters[index] ?? ''
    const to = characters[index + 2]
    if (characters[index + 1] === '-' && to !== undefined) {
      ranges.push([from, to])
      index += 2
    } else ranges.push([from, from])
  }
  return { kind: 'class', negated, ranges }
}
