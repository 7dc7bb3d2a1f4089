import type { ChildProcess } from 'node:child_process'

/** What a command that ended well wrote. */
export interface CommandOutput {
  /** Standard output without one line feed at its end. */
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
  options: { maxBytes: number; onExcess: () => void; clean: (text: string) => string },
): () => CommandOutput {
  const chunks: Buffer[] = []
  let size = 0
  let errors = Buffer.alloc(0)
  let isCut = false
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= options.maxBytes) chunks.push(chunk)
    else options.onExcess()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    const all = Buffer.concat([errors, chunk])
    isCut ||= all.length > keptErrorBytes
    errors = all.subarray(-keptErrorBytes)
  })
  return () => {
    const cleaned = options.clean(errors.toString())
    return {
      text: Buffer.concat(chunks).toString().replace(/\n$/, ''),
      // What is left of the first line may begin within a secret, which is not recognised then.
      errors: (isCut ? cleaned.slice(endOfCutLine(cleaned)) : cleaned).trim(),
    }
  }
}

function endOfCutLine(text: string): number {
  const end = text.indexOf('\n')
  return end === -1 ? longestCutLine : Math.min(end, longestCutLine)
}
