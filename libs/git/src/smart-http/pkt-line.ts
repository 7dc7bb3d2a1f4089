/** One line of git's protocol: its content, or one of the three lines that have none. */
export type PktLine = Buffer | 'flush' | 'delimiter' | 'response-end'

/** The server answered in a way that git's protocol does not know. */
export class OddAnswerError extends Error {
  override readonly name = 'OddAnswerError'
}

const marks = ['flush', 'delimiter', 'response-end'] as const

/** Ends a request or a section of one. */
export const flushPkt = '0000'
/** Stands between the capabilities and the arguments of a command. */
export const delimiterPkt = '0001'

/** Writes one line of git's protocol. */
export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

/**
 * Reads lines of git's protocol (gitprotocol-common) from an answer, up to its end; none is longer than 65,516 bytes.
 * @throws OddAnswerError for what is not a line, and for an answer that ends within one
 */
export async function* readPktLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<PktLine, void, void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= 4) {
      const length = lineLength(bytes.toString('latin1', at, at + 4))
      const mark = marks[length]
      if (mark === undefined && bytes.length - at < length) break
      yield mark ?? bytes.subarray(at + 4, at + length)
      at += mark === undefined ? length : 4
    }
    rest = bytes.subarray(at)
  }
  if (rest.length > 0) throw new OddAnswerError('the answer ends within a line')
}

function lineLength(digits: string): number {
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 3
  if (length === 3) throw new OddAnswerError(`the answer has ${JSON.stringify(digits)} in place of a length`)
  return length
}

/** The content of a line without the newline at its end. */
export function lineText(line: Buffer): string {
  const text = line.toString()
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
