/** A part of a pattern of any dialect. */
export type PatternNode =
  /** One character; `example` is one that is accepted, where one is known. */
  | { kind: 'character'; accepts: (character: string) => boolean; example?: string }
  | { kind: 'sequence'; parts: readonly PatternNode[] }
  | { kind: 'choice'; options: readonly PatternNode[] }
  /** Any number of times, also none. */
  | { kind: 'repeat'; part: PatternNode }

/** A character or a range of characters, by code points. */
export type CharacterRange = readonly [from: number, to: number]

/** Any character. */
export const anyCharacter: PatternNode = { kind: 'character', accepts: () => true, example: 'x' }

/** Any text, also an empty one. */
export const anyText: PatternNode = { kind: 'repeat', part: anyCharacter }

const nothing: PatternNode = { kind: 'sequence', parts: [] }

/** One character that is none of the given ones. */
export function noneOf(excluded: string): PatternNode {
  return { kind: 'character', accepts: (character) => !excluded.includes(character), example: 'x' }
}

/** One character of a path's name. */
export const anyNameCharacter = noneOf('/')

/** Any characters of a path's name, also none. */
export const anyName: PatternNode = { kind: 'repeat', part: anyNameCharacter }

/** The text itself. */
export function literally(text: string): PatternNode {
  const parts = Array.from(text, (expected): PatternNode => {
    return { kind: 'character', accepts: (character) => character === expected, example: expected }
  })
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? only : { kind: 'sequence', parts }
}

/** The node or nothing. */
export function optional(part: PatternNode): PatternNode {
  return { kind: 'choice', options: [nothing, part] }
}

/** One character of a path's name that is in one of the ranges, or in none of them; never a `/`. */
export function nameCharacter(ranges: readonly CharacterRange[], isNegated: boolean): PatternNode {
  return {
    kind: 'character',
    accepts: (character) => character !== '/' && isInRanges(character, ranges) !== isNegated,
  }
}

function isInRanges(character: string, ranges: readonly CharacterRange[]): boolean {
  const code = character.codePointAt(0) ?? 0
  return ranges.some(([from, to]) => from <= code && code <= to)
}
