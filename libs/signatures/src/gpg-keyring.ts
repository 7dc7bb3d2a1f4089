import { cp, mkdtemp, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { gpgConfiguration } from './gpg-configuration.ts'
import { type GpgKey, readKeyList, readVerdict, statusLines } from './gpg-status.ts'
import type { SignatureCheck } from './signature-check.ts'
import { brokenVerifier, runVerifier, type Verifier } from './verifier.ts'

/** One entry holds one key; with many user ids and signatures it may be large. */
const maxEntryBytes = 256 * 1024
/** The most bytes of the keys of a keyring. */
export const maxKeyringBytes = 1024 ** 2
const maxKeyboxBytes = 64 * 1024 ** 2
const maxEntries = 1_000
const maxSignatureBytes = 64 * 1024
/** The signatures of one run of gpg. */
const maxTogether = 200

/** A keyring of public keys in a private directory of its own, which goes away with it. */
export class GpgKeyring implements AsyncDisposable {
  /** The keys that were read. */
  readonly keys: readonly GpgKey[]
  readonly #verifier: Verifier
  readonly #home: string

  constructor(verifier: Verifier, home: string, keys: readonly GpgKey[]) {
    this.#verifier = verifier
    this.#home = home
    this.keys = keys
  }

  /** Returns the verdict on a detached signature over a text. */
  async verify(payload: Buffer, signature: string, signal?: AbortSignal): Promise<SignatureCheck> {
    if (signature.length > maxSignatureBytes) {
      return { kind: 'unreadable', reason: `it has more than ${maxSignatureBytes} bytes` }
    }
    // Untrusted input meets a copy of the keyring, in a directory that only this run sees.
    await using scratch = await mkdtempDisposable(join(this.#verifier.directory, 'check-'))
    const { path: home } = scratch
    const [file, text] = [join(home, 'signature'), join(home, 'text')]
    await cp(this.#home, home, { recursive: true })
    await writeFile(file, signature, { encoding: 'latin1', mode: 0o600 })
    await writeFile(text, payload, { mode: 0o600 })
    const args = ['--homedir', home, '--status-fd', '1', '--verify', '--', file, text]
    const { stdout, stderr, exitCode } = await runVerifier(this.#verifier, 'gpg', args, { home, signal })
    if (stdout === '') throw brokenVerifier('gpg', stderr)
    return readVerdict(stdout, exitCode, this.keys)
  }

  /** Returns the verdicts on detached signatures over texts, many with one run of gpg. */
  async verifyAll(
    signed: readonly { text: Buffer; signature: string }[],
    signal?: AbortSignal,
  ): Promise<SignatureCheck[]> {
    const { signedMessage } = await import('./signed-message.ts')
    const messages = signed.map(({ text, signature }) => signedMessage(signature, text))
    const checks = messages.map((): SignatureCheck => ({
      kind: 'unreadable',
      reason: 'it is not one of GPG',
    }))
    let open = messages.flatMap((message, index) => (message ? [{ message, index }] : []))
    while (open.length > 0) {
      const some = open.slice(0, maxTogether)
      const outputs = await this.#verifyTogether(
        some.map(({ message }) => message),
        signal,
      )
      // gpg ends at the first that is bad; the others are given to the next run.
      for (const [position, output] of outputs.entries()) {
        const at = some[position]?.index
        if (at !== undefined) checks[at] = readVerdict(output, 0, this.keys)
      }
      open = open.slice(outputs.length)
    }
    return checks
  }

  /** Returns what gpg says of the first messages, at least of one. */
  async #verifyTogether(messages: readonly Buffer[], signal: AbortSignal | undefined): Promise<string[]> {
    await using scratch = await mkdtempDisposable(join(this.#verifier.directory, 'check-'))
    const { path: home } = scratch
    await cp(this.#home, home, { recursive: true })
    const files = messages.map((_message, index) => join(home, `message-${index}`))
    for (const [index, message] of messages.entries()) await writeFile(files[index] ?? '', message)
    const args = ['--homedir', home, '--status-fd', '1', '--verify-files', '--', ...files]
    const { stdout, stderr } = await runVerifier(this.#verifier, 'gpg', args, { home, signal })
    const outputs = stdout.split(/^\[GNUPG:\] FILE_START .*$/m).slice(1)
    if (outputs.length === 0) throw brokenVerifier('gpg', stderr)
    return outputs
  }

  /** A key in ASCII armour. */
  async armoured(fingerprint: string): Promise<string> {
    const args = ['--homedir', this.#home, '--armor', '--export', '--', fingerprint]
    return (await runVerifier(this.#verifier, 'gpg', args, { home: this.#home })).stdout
  }

  /** Removes the directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Makes a keyring of blocks of public keys, armoured or binary. Unreadable keys are left out.
 * @param names the key ids or fingerprints of the primary keys that are accepted; all keys when left out
 * @param maxBlockBytes bytes of a block; 256 KiB, which are enough for one key, by default
 * @throws InvalidInputError for private keys and for blocks that are too large, FailedPreconditionError without gpg
 */
export async function openGpgKeyring(
  verifier: Verifier,
  blocks: readonly Buffer[],
  names?: readonly string[],
  maxBlockBytes = maxEntryBytes,
): Promise<GpgKeyring> {
  const sizes = blocks.map((block) => block.length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > maxKeyringBytes || sizes.some((size) => size > maxBlockBytes)) {
    throw new InvalidInputError(
      `GPG keys may have ${maxBlockBytes} bytes each and ${maxKeyringBytes} bytes together; export them with "gpg --export-options export-minimal"`,
    )
  }
  if (blocks.length > maxEntries) {
    throw new InvalidInputError(`${blocks.length} GPG keys are too many; at most ${maxEntries} are accepted`)
  }
  await using owned = new AsyncDisposableStack()
  const home = await mkdtemp(join(verifier.directory, 'gpg-'))
  owned.defer(() => rm(home, { recursive: true, force: true, maxRetries: 3 }))
  await writeFile(join(home, 'gpg.conf'), `${gpgConfiguration}\n`, { mode: 0o600 })
  const files = blocks.map((_block, index) => join(home, `block-${index}`))
  for (const [index, block] of blocks.entries()) await writeFile(files[index] ?? '', block, { mode: 0o600 })
  if (files.length > 0) await importKeys(verifier, home, files)
  await Promise.all(files.map((file) => rm(file)))
  const list = ['--homedir', home, '--list-keys', '--with-colons', '--with-subkey-fingerprint']
  const keys = readKeyList((await runVerifier(verifier, 'gpg', list, { home })).stdout)
  const counting = keys.filter(
    ({ fingerprint }) => !names || names.some((name) => name.length >= 16 && fingerprint.endsWith(name)),
  )
  owned.move()
  return new GpgKeyring(verifier, home, counting)
}

async function importKeys(verifier: Verifier, home: string, files: string[]): Promise<void> {
  const args = ['--homedir', home, '--status-fd', '1', '--import', '--', ...files]
  const { stdout, stderr } = await runVerifier(verifier, 'gpg', args, { home })
  if (stdout === '') throw brokenVerifier('gpg', stderr)
  const [, ...counts] = statusLines(stdout).find(([word]) => word === 'IMPORT_RES') ?? []
  const secretKeysRead = Number(counts[9] ?? 0)
  if (secretKeysRead > 0) {
    throw new InvalidInputError(
      'this is a private GPG key, which only its owner should have. Give the public key: gpg --export --armor KEYID',
    )
  }
}

/** True for a keybox, in which gpg keeps public keys: `pubring.kbx`. */
export function isKeybox(content: Buffer): boolean {
  return content.toString('latin1', 8, 12) === 'KBXf'
}

/**
 * Returns the public keys of a keybox in ASCII armour.
 * @throws InvalidInputError for one that is too large or has no key, FailedPreconditionError without gpg
 */
export async function keyboxKeys(verifier: Verifier, keybox: Buffer): Promise<Buffer> {
  if (keybox.length > maxKeyboxBytes)
    throw new InvalidInputError(
      `a keyring of gpg may have ${maxKeyboxBytes} bytes; export the keys that are meant`,
    )
  await using scratch = await mkdtempDisposable(join(verifier.directory, 'keybox-'))
  const { path: home } = scratch
  const file = join(home, 'keys.kbx')
  await writeFile(join(home, 'gpg.conf'), `${gpgConfiguration}\n`, { mode: 0o600 })
  await writeFile(file, keybox, { mode: 0o600 })
  const chosen = ['--no-default-keyring', '--keyring', file, '--export-options', 'export-minimal']
  const args = ['--homedir', home, ...chosen, '--armor', '--export']
  const { stdout, stderr } = await runVerifier(verifier, 'gpg', args, { home })
  if (stdout !== '') return Buffer.from(stdout)
  throw new InvalidInputError(
    `gpg reads no public key of the keyring: ${stderr.slice(-300) || 'it is empty'}`,
  )
}
