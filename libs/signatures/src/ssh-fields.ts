/** Reads the fields of SSH's encoding one after the other; a field that is cut off is undefined. */
export class SshFields {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  /** The next bytes with their length in front. */
  string(): Buffer | undefined {
    const start = this.#at + 4
    if (this.#bytes.length < start) return undefined
    const end = start + this.#bytes.readUInt32BE(this.#at)
    if (this.#bytes.length < end) return undefined
    this.#at = end
    return this.#bytes.subarray(start, end)
  }

  /** The next bytes with their length in front, one character for each; empty when they are cut off. */
  text(): string {
    return this.string()?.toString('latin1') ?? ''
  }
}

/** Bytes with their length in front. */
export function sshString(bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}
