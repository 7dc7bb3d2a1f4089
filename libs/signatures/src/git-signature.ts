import { createHash, type KeyObject } from 'node:crypto'
import { isSignedBy, plainSignature } from './ssh-public-key.ts'
import { type SshSignature, sshString } from './ssh-signature.ts'

/** Returns true if an SSH signature is one of git by a key over a text; it is never one of a FIDO device, whose form differs. */
export function isGitSignature(signed: SshSignature, key: KeyObject, text: Buffer): boolean {
  const { namespace, hash } = signed
  const signature = plainSignature(signed.signature)
  if (namespace !== 'git' || !/^sha(?:256|512)$/.test(hash) || !signature) return false
  const digest = createHash(hash).update(text).digest()
  const parts = [namespace, '', hash, digest].map((part) => sshString(part))
  return isSignedBy(
    key,
    Buffer.concat([Buffer.from('SSHSIG'), ...parts]),
    signature.bytes,
    signature.algorithm,
  )
}
