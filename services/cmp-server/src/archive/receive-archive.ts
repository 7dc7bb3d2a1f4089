import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'

/** An archive that was received whole. */
export interface ReceivedArchive<Header> {
  readonly header: Header
  /** Its compressed bytes; can be read more than once as long as the file is there. */
  readonly read: () => Readable
}

/** The form in which the messages of a stream carry an archive. */
export interface ArchiveMessages<Message, Header> {
  /** Returns the header of the archive from the first message; undefined for another message. */
  readonly header: (message: Message) => Header | undefined
  /** The lower-case hex SHA-256 that a header names. */
  readonly checksum: (header: Header) => string
  /** The bytes that a later message brings; undefined for another one. */
  readonly chunk: (message: Message) => Uint8Array | undefined
  /** The errors for a stream without a header, and for a message without bytes. */
  readonly errors: { readonly header: string; readonly chunk: string }
}

// Argo CD sends parts of one kibibyte. An archive that is no larger than a block never goes to disk.
const blockBytes = 1024 * 1024
const maxChunks = 4096

/**
 * Receives the archive of a stream and checks it against its checksum. The stream is read to its end even when it is
 * refused: Argo CD's client reads the reason only after it could send everything.
 * @param file takes what is too large for memory; it must not exist
 * @throws InvalidInputError for a stream out of order or another checksum, ResourceExhaustedError above the limit
 */
export async function receiveArchive<Message, Header>(
  requests: AsyncIterable<Message>,
  messages: ArchiveMessages<Message, Header>,
  file: string,
  maxBytes: number,
): Promise<ReceivedArchive<Header>> {
  await using blocks = new ArchiveBlocks(file)
  let header: Header | undefined
  let rejection: Error | undefined
  let size = 0
  for await (const message of requests) {
    if (rejection !== undefined) continue
    if (header === undefined) {
      header = messages.header(message)
      if (header === undefined) rejection = new InvalidInputError(messages.errors.header)
      continue
    }
    const chunk = messages.chunk(message)
    if (chunk === undefined) {
      rejection = new InvalidInputError(messages.errors.chunk)
      continue
    }
    size += chunk.length
    if (size > maxBytes) {
      rejection = new ResourceExhaustedError(`the archive has more than ${maxBytes} bytes`)
    } else if (blocks.add(chunk)) await blocks.write()
  }
  if (rejection !== undefined) throw rejection
  if (header === undefined) throw new InvalidInputError(messages.errors.header)
  const { checksum, read } = await blocks.finish()
  if (checksum !== messages.checksum(header)) throw new InvalidInputError('file checksum validation error')
  return { header, read }
}

/** The bytes so far: the newest block in memory, those before it in the file. */
class ArchiveBlocks implements AsyncDisposable {
  readonly #file: string
  readonly #hash = createHash('sha256')
  #handle: FileHandle | undefined
  #waiting: Uint8Array[] = []
  #waitingBytes = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Returns whether a block is full. */
  add(chunk: Uint8Array): boolean {
    if (chunk.length > 0) this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    // Each chunk takes memory of its own, however small it is.
    if (this.#waiting.length >= maxChunks) this.#waiting = [Buffer.concat(this.#waiting)]
    return this.#waitingBytes >= blockBytes
  }

  async write(): Promise<void> {
    this.#handle ??= await open(this.#file, 'wx', 0o600)
    await this.#handle.writeFile(this.#takeBlock())
  }

  async finish(): Promise<{ checksum: string; read: () => Readable }> {
    if (this.#handle !== undefined) {
      await this.write()
      return { checksum: this.#hash.digest('hex'), read: () => createReadStream(this.#file) }
    }
    const block = this.#takeBlock()
    return { checksum: this.#hash.digest('hex'), read: () => Readable.from([block]) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close()
  }

  #takeBlock(): Buffer {
    const block = Buffer.concat(this.#waiting, this.#waitingBytes)
    this.#hash.update(block)
    this.#waiting = []
    this.#waitingBytes = 0
    return block
  }
}
