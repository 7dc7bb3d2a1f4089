import { createHash } from 'node:crypto'

/** The claims of an SSH signature, none of which is proved yet. */
export interface SshSignature {
  /** The public key in SSH's encoding. */
  publicKey: Buffer
  /** For example `ssh-ed25519`. */
  keyType: string
  /** `SHA256:…`. */
  fingerprint: string
}

const magic = 'SSHSIG'

/** Reads the key of an armoured SSH signature; undefined for text that is none. */
export function readSshSignature(armoured: string): SshSignature | undefined {
  const [, body = ''] =
    /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\s]+)\n-----END SSH SIGNATURE-----\s*$/.exec(armoured) ??
    []
  const bytes = Buffer.from(body, 'base64')
  if (bytes.length < magic.length + 8 || bytes.toString('latin1', 0, magic.length) !== magic) return undefined
  const publicKey = lengthPrefixed(bytes, magic.length + 4)
  const keyType = publicKey && lengthPrefixed(publicKey, 0)
  if (!publicKey || !keyType) return undefined
  return { publicKey, keyType: keyType.toString('latin1'), fingerprint: fingerprintOf(publicKey) }
}

/** The fingerprint of a public key in SSH's encoding, as ssh-keygen prints it. */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
}

function lengthPrefixed(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes.length < at + 4) return undefined
  const length = bytes.readUInt32BE(at)
  return bytes.length < at + 4 + length ? undefined : bytes.subarray(at + 4, at + 4 + length)
}
