import { ownCopy } from './own-copy.ts'

/** The four kinds of git objects. */
export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

/** One answer of `git cat-file --batch-command`; `bytes` is empty for `info`. */
export type BatchAnswer =
  | { kind: 'missing' }
  | { kind: 'object'; oid: string; type: ObjectType; size: number; bytes: Buffer }

const headerPattern = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/

/** Cuts the output of `git cat-file --batch-command` into answers, without copying a large object twice. */
export class BatchParser {
  readonly #expectsContents: () => boolean
  readonly #onAnswer: (answer: BatchAnswer) => void
  #chunks: Buffer[] = []
  #length = 0
  #body: { oid: string; type: ObjectType; size: number } | undefined

  /** @param expectsContents whether the oldest open request asked for contents */
  constructor(expectsContents: () => boolean, onAnswer: (answer: BatchAnswer) => void) {
    this.#expectsContents = expectsContents
    this.#onAnswer = onAnswer
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#body !== undefined && this.#length < this.#body.size + 1) return
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    for (let taken = this.#take(rest); taken > 0; taken = this.#take(rest)) rest = rest.subarray(taken)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#length = rest.length
  }

  /** Consumes one header or one body and returns how many bytes that were, or 0 for an incomplete one. */
  #take(buffer: Buffer): number {
    const body = this.#body
    if (body !== undefined) {
      if (buffer.length < body.size + 1) return 0
      this.#body = undefined
      this.#onAnswer({ kind: 'object', ...body, bytes: ownCopy(buffer.subarray(0, body.size)) })
      return body.size + 1
    }
    const end = buffer.indexOf(0x0a)
    if (end < 0) return 0
    const match = headerPattern.exec(buffer.toString('utf8', 0, end))
    if (match === null) {
      this.#onAnswer({ kind: 'missing' })
      return end + 1
    }
    const header = { oid: match[1] ?? '', type: objectType(match[2]), size: Number(match[3]) }
    if (this.#expectsContents()) this.#body = header
    else this.#onAnswer({ kind: 'object', ...header, bytes: Buffer.alloc(0) })
    return end + 1
  }
}

function objectType(text: string | undefined): ObjectType {
  return text === 'tree' || text === 'commit' || text === 'tag' ? text : 'blob'
}
