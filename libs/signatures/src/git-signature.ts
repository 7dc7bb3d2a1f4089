import { createHash, type KeyObject } from 'node:crypto'
import { isSignedBy, plainSignature } from './ssh-public-key.ts'
import { type SshSignature, sshSignatureStart, sshString } from './ssh-signature.ts'

/** The purpose of SSH signatures of git. */
const gitNamespace = 'git'

/** The hash that ssh-keygen takes. */
const usualHash = 'sha512'

/** Returns true if an SSH signature is one of git by a key over a text; it is never one of a FIDO device, whose form differs. */
export function isGitSignature(signed: SshSignature, key: KeyObject, text: Buffer): boolean {
  const { namespace, hash } = signed
  const signature = plainSignature(signed.signature)
  if (namespace !== gitNamespace || !/^sha(?:256|512)$/.test(hash) || !signature) return false
  return isSignedBy(key, gitSignedBytes(text, hash), signature.bytes, signature.algorithm)
}

/** Returns the bytes that a key signs for an SSH signature of git over a text. */
export function gitSignedBytes(text: Buffer, hash = usualHash): Buffer {
  const digest = createHash(hash).update(text).digest()
  return sshFields([gitNamespace, '', hash, digest])
}

/**
 * Returns an SSH signature of git in its armour.
 * @param publicKey in SSH's encoding
 * @param signature that of `gitSignedBytes`, in SSH's encoding
 */
export function gitSignature(publicKey: Buffer, signature: Buffer): string {
  const fields = sshFields([publicKey, gitNamespace, '', usualHash, signature], Buffer.from([0, 0, 0, 1]))
  const lines = fields.toString('base64').replace(/.{70}/g, '$&\n').trimEnd()
  return `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`
}

function sshFields(fields: readonly (Buffer | string)[], version = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(sshSignatureStart), version, ...fields.map((field) => sshString(field))])
}
