import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** One name of a pattern: `**`, or what a single directory or file name has to look like. */
type PatternPart = '**' | NamePattern

/** Tells whether a name matches, and what telling that costs at most. */
interface NamePattern {
  matches(name: string): boolean
  /** Steps for a name of so many characters. */
  cost(length: number): number
}

type Token = '*' | ((character: string) => boolean)

const maxPatternLength = 1024

/** A compiled pattern of the dialect that `list-paths.ts` describes. */
export class PathPattern {
  readonly #parts: readonly PatternPart[]

  /** @throws InvalidInputError that quotes the pattern and says what is wrong with it */
  constructor(text: string) {
    this.#parts = partsOf(text)
  }

  /** The state before the first name of a path. */
  start(): number[] {
    return this.#closed([0])
  }

  /** The state after one more name; an empty one never matches again. `spend` is told the steps that it takes. */
  next(state: readonly number[], name: string, spend: (steps: number) => void): number[] {
    const following: number[] = []
    for (const index of state) {
      const part = this.#parts[index]
      if (part === undefined) continue
      spend(part === '**' ? 1 : part.cost(name.length))
      if (part === '**') following.push(index)
      else if (part.matches(name)) following.push(index + 1)
    }
    return this.#closed(following)
  }

  /** Whether the names so far are a match. */
  accepts(state: readonly number[]): boolean {
    return state.includes(this.#parts.length)
  }

  /** Whether a longer path may match. */
  continues(state: readonly number[]): boolean {
    return state.some((index) => index < this.#parts.length)
  }

  /** `**` stands for no name too. */
  #closed(state: readonly number[]): number[] {
    const reached = new Set(state)
    for (const index of reached) if (this.#parts[index] === '**') reached.add(index + 1)
    return [...reached]
  }
}

function partsOf(text: string): PatternPart[] {
  const refuse = (reason: string) =>
    new InvalidInputError(`pattern ${JSON.stringify(text.slice(0, 200))} ${reason}`)
  if (text.length > maxPatternLength) throw refuse(`has more than ${maxPatternLength} characters`)
  const parts: PatternPart[] = []
  for (const name of splitNames(text)) {
    if (name === '') throw refuse('has an empty name: write it without a "/" at its ends or a double one')
    if (name === '.' || name === '..') throw refuse(`has the name "${name}": write it from the root on`)
    if (name !== '**') parts.push(namePattern(name, refuse))
    else if (parts.at(-1) !== '**') parts.push('**')
  }
  return parts
}

/** Splits at each `/` outside of classes; one inside is left for its class to refuse. */
function splitNames(text: string): string[] {
  const names: string[] = []
  let start = 0
  let inClass = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '[') inClass = true
    else if (character === ']') inClass = false
    else if (character === '/' && !inClass) {
      names.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...names, text.slice(start)]
}

function namePattern(text: string, refuse: (reason: string) => Error): NamePattern {
  if (!/[*?[\\]/.test(text)) return { matches: (name) => name === text, cost: () => 1 }
  const tokens = tokensOf(Array.from(text), refuse)
  const stars = tokens.filter((token) => token === '*').length
  return {
    matches: (name) => matchTokens(tokens, Array.from(name)),
    cost: (length) => tokens.length + length * (stars > 1 ? tokens.length : 1),
  }
}

function tokensOf(characters: readonly string[], refuse: (reason: string) => Error): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at]
    if (character === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*')
    } else if (character === '?') tokens.push(() => true)
    else if (character === '[') {
      const read = readClass(characters, at + 1, refuse)
      tokens.push(read.matches)
      at = read.end
    } else {
      if (character === '\\') at += 1
      const literal = characters[at]
      if (literal === undefined) throw refuse('ends in "\\"')
      if (literal === '/') throw refuse('has "\\/": "/" is always written plain')
      tokens.push((other) => other === literal)
    }
  }
  return tokens
}

/** Reads a class from the character after its `[`; `end` is the place of its `]`. */
function readClass(characters: readonly string[], start: number, refuse: (reason: string) => Error) {
  let at = start
  const isNegated = characters[at] === '^'
  if (isNegated) at += 1
  const takeMember = (): number => {
    let member = characters[at++]
    if (member === '-' || member === ']') throw refuse(`has an unescaped "${member}" in a "[" class`)
    if (member === '\\') member = characters[at++]
    if (member === undefined) throw refuse('has a "[" without "]"')
    if (member === '/') throw refuse('has a "/" in a "[" class')
    return member.codePointAt(0) ?? 0
  }
  const ranges: [number, number][] = []
  while (ranges.length === 0 || characters[at] !== ']') {
    const low = takeMember()
    const isRange = characters[at] === '-'
    if (isRange) at += 1
    ranges.push([low, isRange ? takeMember() : low])
  }
  const matches = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0
    return ranges.some(([low, high]) => low <= code && code <= high) !== isNegated
  }
  return { matches, end: at }
}

/** The greedy match, which steps back to the last star alone. */
function matchTokens(tokens: readonly Token[], characters: readonly string[]): boolean {
  let at = 0
  let position = 0
  let star = -1
  let resume = 0
  while (position < characters.length) {
    const token = tokens[at]
    if (token === '*') {
      star = at
      resume = position
      at += 1
    } else if (token?.(characters[position] ?? '') === true) {
      at += 1
      position += 1
    } else if (star >= 0) {
      at = star + 1
      resume += 1
      position = resume
    } else return false
  }
  return tokens.slice(at).every((token) => token === '*')
}
