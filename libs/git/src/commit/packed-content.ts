import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ownCopy } from '../objects/own-copy.ts'

/** Contents are compressed this many bytes at a time: to begin and to end a compression takes longer than it does for most files. */
const blockBytes = 128 * 1024

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Contents one after the other, compressed once there is room for no other. */
class Block {
  #bytes: Buffer | undefined
  #packed: Buffer = Buffer.alloc(0)
  #length = 0

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  hasRoom(bytes: number): boolean {
    return this.#bytes !== undefined && this.#length + bytes <= this.#bytes.length
  }

  /** Returns where the content begins. */
  add(content: Buffer): number {
    const start = this.#length
    this.#bytes?.set(content, start)
    this.#length += content.length
    return start
  }

  pack(): void {
    if (this.#bytes === undefined) return
    this.#packed = ownCopy(zstdCompressSync(this.#bytes.subarray(0, this.#length), fastest))
    this.#bytes = undefined
  }

  bytes(): Buffer {
    return this.#bytes ?? zstdDecompressSync(this.#packed)
  }
}

let open = new Block(blockBytes)
let unpacked: { readonly block: Block; readonly bytes: Buffer } | undefined

/** The content of a file that waits for its commit, compressed meanwhile with others: a commit may have thousands of them. */
export class PackedContent {
  readonly #block: Block
  readonly #start: number
  readonly #length: number

  constructor(content: string) {
    const bytes = Buffer.from(content)
    this.#block = blockFor(bytes.length)
    this.#start = this.#block.add(bytes)
    this.#length = bytes.length
    if (this.#block !== open) this.#block.pack()
  }

  /** The content itself, which is not to be changed. */
  bytes(): Buffer {
    return bytesOf(this.#block).subarray(this.#start, this.#start + this.#length)
  }

  toString(): string {
    return this.bytes().toString()
  }
}

/** The open block, or for a large content one of its own. */
function blockFor(bytes: number): Block {
  if (bytes > blockBytes) return new Block(bytes)
  if (!open.hasRoom(bytes)) {
    open.pack()
    open = new Block(blockBytes)
  }
  return open
}

/** The bytes of a block; those of the newest small one are kept, as contents are read one after the other. */
function bytesOf(block: Block): Buffer {
  if (unpacked?.block === block) return unpacked.bytes
  const bytes = block.bytes()
  if (block !== open && bytes.length <= blockBytes) unpacked = { block, bytes }
  return bytes
}
