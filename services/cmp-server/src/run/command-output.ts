import type { ChildProcess } from 'node:child_process'

/** What a command that ended well wrote. */
export interface CommandOutput {
  /** Standard output, unless it is verbatim without one line feed at its end. */
  text: string
  /** The end of the error output, trimmed and cleaned. */
  errors: string
}

const keptErrorBytes = 64 * 1024

/** A text that was cut at its start loses at most this much more, up to the end of a line. */
const longestCutLine = 4 * 1024

/**
 * Collects what a command writes: standard output up to a bound and the end of the error output.
 * @param clean takes out of the error output what nobody may see
 */
export function collectOutput(
  child: ChildProcess,
  options: {
    maxBytes: number
    onExcess: () => void
    clean: (text: string) => string
    isVerbatim: boolean
  },
): () => CommandOutput {
  const chunks: Buffer[] = []
  let size = 0
  const errors = new LastBytes(keptErrorBytes)
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= options.maxBytes) chunks.push(chunk)
    else options.onExcess()
  })
  child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk))
  return () => {
    const { bytes, isCut } = errors.take()
    const cleaned = options.clean(bytes.toString())
    const text = Buffer.concat(chunks).toString()
    return {
      text: options.isVerbatim ? text : text.replace(/\n$/, ''),
      // What is left of the first line may begin within a secret, which is not recognised then.
      errors: (isCut ? cleaned.slice(endOfCutLine(cleaned)) : cleaned).trim(),
    }
  }
}

function endOfCutLine(text: string): number {
  const end = text.indexOf('\n')
  return end === -1 ? longestCutLine : Math.min(end, longestCutLine)
}

/** The end of what is written, without a copy for each part of it. */
class LastBytes {
  readonly #kept: number
  #parts: Buffer[] = []
  #size = 0
  #isCut = false

  constructor(kept: number) {
    this.#kept = kept
  }

  add(part: Buffer): void {
    this.#parts.push(part)
    this.#size += part.length
    // Many small parts are joined at times, as each takes more than its bytes.
    if (this.#size > 4 * this.#kept || this.#parts.length > 1_000) this.#cut()
  }

  take(): { bytes: Buffer; isCut: boolean } {
    return { bytes: this.#cut(), isCut: this.#isCut }
  }

  #cut(): Buffer {
    this.#isCut ||= this.#size > this.#kept
    const bytes = Buffer.concat(this.#parts).subarray(-this.#kept)
    this.#parts = [bytes]
    this.#size = bytes.length
    return bytes
  }
}
