import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AllowedSigner, readAllowedSigners, readRevokedKeys } from './allowed-signers.ts'
import { runVerifier } from './run-verifier.ts'
import type { SignatureCheck, SigningKey } from './signature-check.ts'
import { readSshSignature } from './ssh-signature.ts'

const maxSignatureBytes = 64 * 1024

/** The SSH keys whose signatures are known. */
export interface SshSigners {
  /** Where what a verification needs is written; removed afterwards. */
  directory: string
  signers: readonly AllowedSigner[]
  /** Fingerprints. */
  revoked: ReadonlySet<string>
}

/** @throws InvalidInputError that names the line of what cannot be read */
export function readSshSigners(directory: string, allowedSigners: string, revokedKeys: string): SshSigners {
  return { directory, signers: readAllowedSigners(allowedSigners), revoked: readRevokedKeys(revokedKeys) }
}

/**
 * Tells what is known of an SSH signature over a text. As git does, the times of a signer are compared with the time
 * that the signed object gives itself, so that a key which is rotated keeps its earlier signatures.
 * @param at that time, in milliseconds since 1970
 */
export async function verifySshSignature(
  { directory, signers, revoked }: SshSigners,
  { payload, signature, at }: { payload: Buffer; signature: string; at: number },
  abort?: AbortSignal,
): Promise<SignatureCheck> {
  const read = signature.length > maxSignatureBytes ? undefined : readSshSignature(signature)
  if (!read) return { kind: 'unreadable', reason: 'it is not an SSH signature' }
  const { fingerprint, keyType, publicKey } = read
  const entries = signers.filter((signer) => signer.fingerprint === fingerprint)
  const principals = [...new Set(entries.flatMap((entry) => entry.principals))]
  const key = keyNamed(fingerprint, principals)
  const known = entries.length > 0 || revoked.has(fingerprint)
  if (!known) return { kind: 'unknownKey', key }
  if (
    !(await isGenuine(directory, `${keyType} ${publicKey.toString('base64')}`, payload, signature, abort))
  ) {
    return { kind: 'bad', key }
  }
  if (revoked.has(fingerprint)) return { kind: 'revoked', key }
  const valid = entries.filter(
    ({ validAfter = -Infinity, validBefore = Infinity }) => validAfter <= at && at < validBefore,
  )
  if (valid.length > 0) {
    return {
      kind: 'good',
      key: keyNamed(
        fingerprint,
        valid.flatMap((entry) => entry.principals),
      ),
      until: Infinity,
    }
  }
  const ends = entries.flatMap(({ validBefore }) =>
    validBefore !== undefined && validBefore <= at ? [validBefore] : [],
  )
  if (ends.length > 0) return { kind: 'expired', key, what: 'key', at: Math.max(...ends) }
  return { kind: 'notYetValid', key, at: Math.min(...entries.map(({ validAfter = 0 }) => validAfter)) }
}

function keyNamed(fingerprint: string, principals: readonly string[]): SigningKey {
  return {
    scheme: 'ssh',
    shown: fingerprint,
    names: [fingerprint, ...principals],
    owner: principals.join(', '),
  }
}

/** Whether ssh-keygen finds that this key signed this text for git; who may sign is decided elsewhere. */
async function isGenuine(
  directory: string,
  publicKey: string,
  payload: Buffer,
  signature: string,
  abort: AbortSignal | undefined,
): Promise<boolean> {
  await using folder = await mkdtempDisposable(join(directory, 'ssh-'))
  const [signers, file] = [join(folder.path, 'signers'), join(folder.path, 'signature')]
  await writeFile(signers, `signer namespaces="git" ${publicKey}\n`, { mode: 0o600 })
  await writeFile(file, signature, { encoding: 'latin1', mode: 0o600 })
  const args = ['-Y', 'verify', '-f', signers, '-I', 'signer', '-n', 'git', '-s', file]
  const options = { home: folder.path, input: payload, signal: abort }
  return (await runVerifier('ssh-keygen', args, options)).exitCode === 0
}
