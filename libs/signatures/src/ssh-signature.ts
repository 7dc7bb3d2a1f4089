import { createHash } from 'node:crypto'

/** The claims of an SSH signature, none of which is proved yet. */
export interface SshSignature {
  /** The public key in SSH's encoding. */
  publicKey: Buffer
  /** For example `ssh-ed25519`. */
  keyType: string
  /** `SHA256:…`. */
  fingerprint: string
  /** The purpose that it was made for, such as `git`. */
  namespace: string
  /** The hash of the text that was signed: `sha256` or `sha512`. */
  hash: string
  /** The signature itself, in SSH's encoding. */
  signature: Buffer
}

/** Begins signatures, and what they sign. */
export const sshSignatureStart = 'SSHSIG'

/** Reads an armoured SSH signature; undefined for text that is none. */
export function readSshSignature(armoured: string): SshSignature | undefined {
  const [, body = ''] =
    /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\s]+)\n-----END SSH SIGNATURE-----\s*$/.exec(armoured) ??
    []
  const bytes = Buffer.from(body, 'base64')
  if (
    bytes.length < sshSignatureStart.length + 8 ||
    bytes.toString('latin1', 0, sshSignatureStart.length) !== sshSignatureStart
  )
    return undefined
  const fields = new SshFields(bytes, sshSignatureStart.length + 4)
  const publicKey = fields.string()
  const keyType = publicKey && new SshFields(publicKey).text()
  if (!publicKey || !keyType) return undefined
  const namespace = fields.text()
  fields.string()
  const hash = fields.text()
  const signature = fields.string() ?? Buffer.alloc(0)
  return { publicKey, keyType, fingerprint: fingerprintOf(publicKey), namespace, hash, signature }
}

/** The fingerprint of a public key in SSH's encoding, as ssh-keygen prints it. */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
}

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
