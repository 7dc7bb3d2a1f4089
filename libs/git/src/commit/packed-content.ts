import { ownCopy } from '../objects/own-copy.ts'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Less than this many bytes are kept as they are: there is nothing to gain. */
const minPackedBytes = 512

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The content of a file that waits for its commit, compressed meanwhile: a commit may have thousands of them. */
export class PackedContent {
  readonly #bytes: Buffer
  readonly #isPacked: boolean

  constructor(content: string) {
    const bytes = Buffer.from(content)
    this.#isPacked = bytes.length >= minPackedBytes
    this.#bytes = ownCopy(this.#isPacked ? zstdCompressSync(bytes, fastest) : bytes)
  }

  /** The content itself, made anew for each call. */
  bytes(): Buffer {
    return this.#isPacked ? zstdDecompressSync(this.#bytes) : this.#bytes
  }

  toString(): string {
    return this.bytes().toString()
  }
}
