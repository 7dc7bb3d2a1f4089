import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import type { AppStreamRequest, ManifestRequestMetadata } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'

/** An archive that was received whole. */
export interface ReceivedArchive {
  readonly metadata: ManifestRequestMetadata
  /** Its compressed bytes. */
  readonly read: () => Readable
}

// Argo CD sends parts of one kibibyte. An archive that is no larger than a block never goes to disk.
const blockBytes = 1024 * 1024
const mostChunks = 4096

/**
 * Receives the archive of a stream and checks it against its checksum. The stream is read to its end even when it is
 * refused: Argo CD's client reads the reason only after it could send everything.
 * @param file takes what is too large for memory; it must not exist
 * @throws InvalidInputError for a stream out of order or another checksum, ResourceExhaustedError above the limit
 */
export async function receiveArchive(
  requests: AsyncIterable<AppStreamRequest>,
  file: string,
  maxBytes: number,
): Promise<ReceivedArchive> {
  await using blocks = new ArchiveBlocks(file)
  let metadata: ManifestRequestMetadata | undefined
  let refusal: Error | undefined
  let size = 0
  for await (const { request } of requests) {
    if (refusal !== undefined) continue
    if (metadata === undefined) {
      if (request.case === 'metadata') metadata = request.value
      else refusal = new InvalidInputError('error getting stream metadata: metadata is nil')
    } else if (request.case !== 'file') {
      refusal = new InvalidInputError('stream request file is nil')
    } else {
      const { chunk } = request.value
      size += chunk.length
      if (size > maxBytes) {
        refusal = new ResourceExhaustedError(`the archive has more than ${maxBytes} bytes`)
      } else if (blocks.add(chunk)) await blocks.write()
    }
  }
  if (refusal !== undefined) throw refusal
  if (metadata === undefined) throw new InvalidInputError('error getting stream metadata: metadata is nil')
  const { checksum, read } = await blocks.finish()
  if (checksum !== metadata.checksum) throw new InvalidInputError('file checksum validation error')
  return { metadata, read }
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
    if (this.#waiting.length >= mostChunks) this.#waiting = [Buffer.concat(this.#waiting)]
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
