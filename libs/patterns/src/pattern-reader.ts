/** Reads a pattern character by character. */
export class PatternReader {
  readonly pattern: string
  readonly #characters: readonly string[]
  #position = 0

  constructor(pattern: string) {
    this.pattern = pattern
    this.#characters = Array.from(pattern)
  }

  /** The next character, or one further on; undefined behind the end. */
  peek(ahead = 0): string | undefined {
    return this.#characters[this.#position + ahead]
  }

  /** Reads a character; undefined at the end. */
  take(): string | undefined {
    return this.#characters[this.#position++]
  }

  /** Reads a text if it comes next. */
  skip(text: string): boolean {
    const isNext = Array.from(text).every((character, index) => this.peek(index) === character)
    if (isNext) this.#position += Array.from(text).length
    return isNext
  }

  /** Reads up to a character and the character itself; undefined, with nothing read, when it does not come. */
  takeUntil(character: string): string | undefined {
    const found = this.#characters.indexOf(character, this.#position)
    if (found === -1) return undefined
    const text = this.#characters.slice(this.#position, found).join('')
    this.#position = found + 1
    return text
  }
}
