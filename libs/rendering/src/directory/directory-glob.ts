import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Most alternatives that the braces of one pattern may stand for. */
const maxAlternatives = 64

type Token = { readonly star: true } | { readonly star: false; matches(character: string): boolean }

/**
 * Compiles an include or exclude pattern of a directory source by Argo CD's rules: `*` and `**` match any characters,
 * `/` among them, `?` one character, `[a-z]` and `[!a-z]` one of or none of a set, `{a,b}` alternatives, `\` escapes.
 * Matching takes time proportional to pattern and path at most, whatever the pattern.
 */
export function directoryGlob(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => tokens(alternative))
  return (path) => {
    const characters = Array.from(path)
    return alternatives.some((alternative) => matchTokens(alternative, characters))
  }
}

function expandBraces(pattern: string): string[] {
  const open = unescapedIndex(pattern, '{', 0)
  if (open < 0) return [pattern]
  const parts: string[] = []
  let depth = 0
  let start = open + 1
  for (let at = open; at < pattern.length; at += 1) {
    const character = pattern[at]
    if (character === '\\') at += 1
    else if (character === '{') depth += 1
    else if (character === ',' && depth === 1) {
      parts.push(pattern.slice(start, at))
      start = at + 1
    } else if (character === '}' && (depth -= 1) === 0) {
      parts.push(pattern.slice(start, at))
      const expanded = parts.flatMap((part) =>
        expandBraces(`${pattern.slice(0, open)}${part}${pattern.slice(at + 1)}`),
      )
      if (expanded.length <= maxAlternatives) return expanded
      throw new InvalidInputError(`pattern "${pattern}" stands for more than ${maxAlternatives} alternatives`)
    }
  }
  throw new InvalidInputError(`pattern "${pattern}" has a "{" without "}"`)
}

function unescapedIndex(text: string, character: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === character) return at
  }
  return -1
}

function tokens(pattern: string): Token[] {
  const result: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? ''
    if (character === '*') {
      if (result.at(-1)?.star !== true) result.push({ star: true })
    } else if (character === '?') result.push({ star: false, matches: () => true })
    else if (character === '[') {
      const close = unescapedIndex(pattern, ']', at + 1)
      if (close < 0) throw new InvalidInputError(`pattern "${pattern}" has a "[" without "]"`)
      result.push({ star: false, matches: characterSet(pattern.slice(at + 1, close)) })
      at = close
    } else {
      if (character === '\\') at += 1
      const literal = String.fromCodePoint(pattern.codePointAt(at) ?? 0x5c)
      at += literal.length - 1
      result.push({ star: false, matches: (other) => other === literal })
    }
  }
  return result
}

function characterSet(text: string): (character: string) => boolean {
  const negated = text.startsWith('!')
  const members = Array.from((negated ? text.slice(1) : text).replaceAll('\\', ''))
  return (character) => {
    for (let at = 0; at < members.length; at += 1) {
      const low = members[at] ?? ''
      const high = members[at + 1] === '-' ? (members[at + 2] ?? low) : low
      if (high !== low) at += 2
      if (character >= low && character <= high) return !negated
    }
    return negated
  }
}

/** The greedy match that steps back to the last star alone. */
function matchTokens(pattern: readonly Token[], characters: readonly string[]): boolean {
  let at = 0
  let position = 0
  let star = -1
  let resume = 0
  while (position < characters.length) {
    const token = pattern[at]
    if (token?.star === true) {
      star = at
      resume = position
      at += 1
    } else if (token?.star === false && token.matches(characters[position] ?? '')) {
      at += 1
      position += 1
    } else if (star >= 0) {
      at = star + 1
      resume += 1
      position = resume
    } else return false
  }
  return pattern.slice(at).every((token) => token.star)
}
