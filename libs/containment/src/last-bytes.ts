/** A text that was cut at its start loses at most this much more, up to the end of a line. */
const maxCutLineLength = 4 * 1024

/** The end of what a program writes, without a copy for each part of it. */
export class LastBytes {
  readonly #kept: number
  #parts: Buffer[] = []
  #size = 0
  #isCut = false

  /** @param kept how many bytes are kept */
  constructor(kept: number) {
    this.#kept = kept
  }

  add(part: Buffer): void {
    this.#parts.push(part)
    this.#size += part.length
    // Many small parts are joined at times, as each takes more than its bytes.
    if (this.#size > 4 * this.#kept || this.#parts.length > 1_000) this.#cut()
  }

  /**
   * The text without what is left of a line that was cut.
   * @param clean takes out what nobody may see; what is left of a cut secret is not recognised, hence the cut line goes
   */
  text(clean: (text: string) => string): string {
    const text = clean(this.#cut().toString())
    return this.#isCut ? text.slice(endOfCutLine(text)) : text
  }

  #cut(): Buffer {
    this.#isCut ||= this.#size > this.#kept
    const bytes = Buffer.concat(this.#parts).subarray(-this.#kept)
    this.#parts = [bytes]
    this.#size = bytes.length
    return bytes
  }
}

function endOfCutLine(text: string): number {
  const end = text.indexOf('\n')
  return end === -1 ? maxCutLineLength : Math.min(end, maxCutLineLength)
}
