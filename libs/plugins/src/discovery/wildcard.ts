/** A piece of a pattern over paths. */
export type Token =
  | { readonly kind: 'character'; readonly character: string }
  /** One character of a name. */
  | { readonly kind: 'any' }
  /** Any characters of a name. */
  | { readonly kind: 'many' }
  /** Nothing, or anything that ends in `/`. */
  | { readonly kind: 'folders' }
  | {
      readonly kind: 'class'
      readonly negated: boolean
      readonly ranges: readonly (readonly [from: string, to: string])[]
    }

/** The positions in a list of tokens up to which the text so far matches. */
export type Positions = ReadonlySet<number>

/** The positions before any text. */
export function firstPositions(tokens: readonly Token[]): Positions {
  const positions = new Set<number>()
  arrive(tokens, 0, positions)
  return positions
}

/** The positions after further text. Its cost grows with the length of the text times that of the pattern. */
export function advance(tokens: readonly Token[], positions: Positions, text: string): Positions {
  let current = positions
  for (const character of text) {
    const next = new Set<number>()
    for (const position of current) step(tokens, position, character, next)
    current = next
  }
  return current
}

/** Whether the whole pattern matches the text so far. */
export function isMatch(tokens: readonly Token[], positions: Positions): boolean {
  return positions.has(tokens.length)
}

/** Tokens that match nothing too are passed at once. */
function arrive(tokens: readonly Token[], position: number, positions: Set<number>): void {
  positions.add(position)
  const kind = tokens[position]?.kind
  if (kind === 'many' || kind === 'folders') arrive(tokens, position + 1, positions)
}

function step(tokens: readonly Token[], position: number, character: string, next: Set<number>): void {
  const token = tokens[position]
  if (token?.kind === 'folders') {
    // Inside a folder's name: only a slash leads out.
    next.add(position)
    if (character === '/') arrive(tokens, position + 1, next)
  } else if (token?.kind === 'many') {
    if (character !== '/') arrive(tokens, position, next)
  } else if (token !== undefined && isOne(token, character)) {
    arrive(tokens, position + 1, next)
  }
}

function isOne(token: Exclude<Token, { kind: 'many' | 'folders' }>, character: string): boolean {
  if (token.kind === 'character') return token.character === character
  if (character === '/') return false
  if (token.kind === 'any') return true
  const code = codeOf(character)
  return token.ranges.some(([from, to]) => codeOf(from) <= code && code <= codeOf(to)) !== token.negated
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
