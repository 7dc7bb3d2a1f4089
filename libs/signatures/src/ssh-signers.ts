import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AllowedSigner, readAllowedSigners, readRevokedKeys } from './allowed-signers.ts'
import type { SignatureCheck, SigningKey } from './signature-check.ts'
import { readSshSignature } from './ssh-signature.ts'
import { brokenVerifier, runVerifier, type Verifier } from './verifier.ts'

const maxSignatureBytes = 64 * 1024

/** The SSH keys whose signatures are known. */
export interface SshSigners {
  verifier: Verifier
  signers: readonly AllowedSigner[]
  /** Fingerprints. */
  revoked: ReadonlySet<string>
}

/** @throws InvalidInputError that names the line of what cannot be read */
export function readSshSigners(verifier: Verifier, allowedSigners: string, revokedKeys: string): SshSigners {
  return { verifier, signers: readAllowedSigners(allowedSigners), revoked: readRevokedKeys(revokedKeys) }
}

/**
 * Returns the verdict on an SSH signature over a text. As git does, the times of a signer are compared with the time
 * that the signed object gives itself, so that a key which is rotated keeps its earlier signatures.
 * @param at that time, in milliseconds since 1970
 */
export async function verifySshSignature(
  { verifier, signers, revoked }: SshSigners,
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
  if (!(await isGenuine(verifier, `${keyType} ${publicKey.toString('base64')}`, payload, signature, abort))) {
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

/** True if ssh-keygen finds that this key signed this text for git; the permitted signers are checked elsewhere. */
async function isGenuine(
  verifier: Verifier,
  publicKey: string,
  payload: Buffer,
  signature: string,
  abort: AbortSignal | undefined,
): Promise<boolean> {
  await using scratch = await mkdtempDisposable(join(verifier.directory, 'ssh-'))
  const { path: home } = scratch
  const file = (name: string): string => join(home, name)
  await writeFile(file('allowed'), `signer namespaces="git" ${publicKey}\n`, { mode: 0o600 })
  await writeFile(file('signature'), signature, { encoding: 'latin1', mode: 0o600 })
  await writeFile(file('text'), payload, { mode: 0o600 })
  const about = ['-f', file('allowed'), '-I', 'signer', '-n', 'git', '-s', file('signature')]
  const run = { home, input: file('text'), signal: abort }
  const { exitCode, stdout, stderr } = await runVerifier(
    verifier,
    'ssh-keygen',
    ['-Y', 'verify', ...about],
    run,
  )
  if (exitCode === 0) return true
  if (`${stdout}${stderr}`.includes('Could not verify signature')) return false
  throw brokenVerifier('ssh-keygen', stderr)
}
