import { createHash, type KeyObject } from 'node:crypto'
import { SshFields, sshString } from './ssh-fields.ts'
import { isSignedBy, plainSignature } from './ssh-public-key.ts'

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

const magic = 'SSHSIG'

/** Reads an armoured SSH signature; undefined for text that is none. */
export function readSshSignature(armoured: string): SshSignature | undefined {
  const [, body = ''] =
    /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\s]+)\n-----END SSH SIGNATURE-----\s*$/.exec(armoured) ??
    []
  const bytes = Buffer.from(body, 'base64')
  if (bytes.length < magic.length + 8 || bytes.toString('latin1', 0, magic.length) !== magic) return undefined
  const fields = new SshFields(bytes, magic.length + 4)
  const publicKey = fields.string()
  const keyType = publicKey && new SshFields(publicKey).text()
  if (!publicKey || !keyType) return undefined
  const namespace = fields.text()
  fields.string()
  const hash = fields.text()
  const signature = fields.string() ?? Buffer.alloc(0)
  return { publicKey, keyType, fingerprint: fingerprintOf(publicKey), namespace, hash, signature }
}

/** Returns true if an SSH signature is one of git by a key over a text; it is never one of a FIDO device, whose form differs. */
export function isGitSignature(signed: SshSignature, key: KeyObject, text: Buffer): boolean {
  const { namespace, hash } = signed
  const signature = plainSignature(signed.signature)
  if (namespace !== 'git' || !/^sha(?:256|512)$/.test(hash) || !signature) return false
  const digest = createHash(hash).update(text).digest()
  const parts = [namespace, '', hash, digest].map((part) => sshString(part))
  return isSignedBy(key, Buffer.concat([Buffer.from(magic), ...parts]), signature.bytes, signature.algorithm)
}

/** The fingerprint of a public key in SSH's encoding, as ssh-keygen prints it. */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replace(/=+$/, '')}`
}
