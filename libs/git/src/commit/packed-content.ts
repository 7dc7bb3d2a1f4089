import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ownCopy } from '../objects/own-copy.ts'

/** Contents are compressed this many bytes at a time: to begin and to end a compression takes longer than it does for most files. */
const blockBytes = 128 * 1024

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Contents one after the other, compressed when it is full. */
class Block {
  #parts: Buffer[] | undefined = []
  #packed: Buffer = Buffer.alloc(0)
  #length = 0

  get isFull(): boolean {
    return this.#length >= blockBytes
  }

  /** Returns where the content begins. */
  add(content: Buffer): number {
    const start = this.#length
    this.#parts?.push(content)
    this.#length += content.length
    return start
  }

  pack(): void {
    if (this.#parts === undefined) return
    this.#packed = ownCopy(zstdCompressSync(Buffer.concat(this.#parts), fastest))
    this.#parts = undefined
  }

  bytes(): Buffer {
    return this.#parts === undefined ? zstdDecompressSync(this.#packed) : Buffer.concat(this.#parts)
  }
}

/** Where contents go that wait for one commit and are read in about the order in which they came: they are compressed together. */
export class PackedContents {
  #open = new Block()
  #read: { readonly block: Block; readonly bytes: Buffer } | undefined

  /** Returns what reads the content. */
  add(content: Buffer): () => Buffer {
    const block = this.#open
    const start = block.add(content)
    const end = start + content.length
    this.#read = undefined
    if (block.isFull) {
      block.pack()
      this.#open = new Block()
    }
    return () => this.#bytesOf(block).subarray(start, end)
  }

  /** The bytes of a block; those that were read last are kept, unless they are many. */
  #bytesOf(block: Block): Buffer {
    if (this.#read?.block === block) return this.#read.bytes
    const bytes = block.bytes()
    this.#read = bytes.length > 2 * blockBytes ? undefined : { block, bytes }
    return bytes
  }
}

/** The content of a file that waits for its commit, compressed meanwhile: a commit may have thousands of them. */
export class PackedContent {
  /** The content itself, which is not to be changed. */
  readonly bytes: () => Buffer

  /** @param contents those of the same commit; by default it is alone */
  constructor(content: string, contents = new PackedContents()) {
    this.bytes = contents.add(Buffer.from(content))
  }

  toString(): string {
    return this.bytes().toString()
  }
}
