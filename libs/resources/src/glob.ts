import { InvalidInputError } from '@wadi/errors/domain-error.ts'

/** Tells whether a whole text matches a pattern. */
export type GlobMatcher = (text: string) => boolean

const maxPatternLength = 1024

/** One state of the automaton: which characters lead on to which state, and where it may go without one. */
interface State {
  accepts?: (character: string) => boolean
  next: number
  free: number[]
}

/**
 * Compiles a pattern of the glob dialect of Argo CD (gobwas/glob): `*` any text without the separator, `**` any text,
 * `?` one character but the separator, `[abc]`, `[a-z]`, `[!a]`, `{one,two}`, `\` before a character taken as it is.
 * Without a separator `*` matches everything. The time of a match grows with both lengths only, whatever the pattern.
 * @throws InvalidInputError when the pattern has more than 1024 characters or an open bracket or brace.
 */
export function compileGlob(pattern: string, separator?: string): GlobMatcher {
  if (pattern.length > maxPatternLength) {
    throw new InvalidInputError(`a glob pattern may have ${maxPatternLength} characters`)
  }
  const states = new GlobCompiler(pattern, separator).compile()
  const final = states.length - 1
  return (text) => {
    let current = reach(states, [0])
    for (const character of text) {
      const following: number[] = []
      for (const index of current) {
        const state = states[index]
        if (state?.accepts?.(character)) following.push(state.next)
      }
      if (following.length === 0) return false
      current = reach(states, following)
    }
    return current.has(final)
  }
}

/** Returns the given states and those that they lead to without a character. */
function reach(states: State[], from: number[]): Set<number> {
  const reached = new Set(from)
  for (const index of reached) for (const next of states[index]?.free ?? []) reached.add(next)
  return reached
}

class GlobCompiler {
  readonly #pattern: string[]
  readonly #separator: string | undefined
  readonly #states: State[] = []
  #position = 0

  constructor(pattern: string, separator: string | undefined) {
    this.#pattern = Array.from(pattern)
    this.#separator = separator
  }

  compile(): State[] {
    this.#sequence(false)
    this.#add({})
    return this.#states
  }

  /** Compiles up to the end of the pattern, or of one alternative inside braces. */
  #sequence(inBraces: boolean): void {
    for (;;) {
      const character = this.#pattern[this.#position]
      if (character === undefined || (inBraces && (character === ',' || character === '}'))) return
      this.#position++
      if (character === '*') this.#star()
      else if (character === '?') this.#add({ accepts: (tested) => tested !== this.#separator })
      else if (character === '[') this.#add({ accepts: this.#characterClass() })
      else if (character === '{') this.#alternatives()
      else this.#literal(character === '\\' ? this.#take('a character after \\') : character)
    }
  }

  #star(): void {
    const crossesSeparators = this.#pattern[this.#position] === '*'
    while (this.#pattern[this.#position] === '*') this.#position++
    const index = this.#states.length
    this.#states.push({
      accepts: (tested) => crossesSeparators || tested !== this.#separator,
      next: index,
      free: [index + 1],
    })
  }

  #characterClass(): (character: string) => boolean {
    const negated = this.#pattern[this.#position] === '!'
    if (negated) this.#position++
    const ranges: [string, string][] = []
    for (;;) {
      const first = this.#take(']')
      if (first === ']') break
      const low = first === '\\' ? this.#take(']') : first
      if (this.#pattern[this.#position] === '-' && this.#pattern[this.#position + 1] !== ']') {
        this.#position++
        ranges.push([low, this.#take(']')])
      } else {
        ranges.push([low, low])
      }
    }
    return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== negated
  }

  #alternatives(): void {
    const fork = this.#add({})
    const ends: State[] = []
    fork.free = []
    do {
      fork.free.push(this.#states.length)
      this.#sequence(true)
      ends.push(this.#add({}))
    } while (this.#take('}') === ',')
    for (const end of ends) end.free = [this.#states.length]
  }

  #literal(character: string): void {
    this.#add({ accepts: (tested) => tested === character })
  }

  /** Adds a state that leads to the one after it: by a character if it accepts one, else freely. */
  #add({ accepts }: Pick<State, 'accepts'>): State {
    const next = this.#states.length + 1
    const state: State = accepts === undefined ? { next, free: [next] } : { accepts, next, free: [] }
    this.#states.push(state)
    return state
  }

  #take(missing: string): string {
    const character = this.#pattern[this.#position++]
    if (character === undefined) {
      throw new InvalidInputError(`glob pattern ${JSON.stringify(this.#pattern.join(''))} lacks ${missing}`)
    }
    return character
  }
}
