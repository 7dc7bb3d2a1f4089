import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { gpgConfiguration } from '../gpg-configuration.ts'
import { type GpgKey, readKeyList, readVerdict } from '../gpg-status.ts'
import type { SignatureCheck } from '../signature-check.ts'
import type { CommitSigner, SigningKeyPlace } from './commit-signer.ts'
import { makePrivateDirectory } from './private-directory.ts'
import { runSigningProgram, startAgent } from './run-signing-program.ts'

/** The agent keeps a key with few rounds of hashing: each signature would take them, and the passphrase lies beside the key anyway. */
const agentConfiguration =
  'allow-loopback-pinentry\ns2k-count 65536\nextra-socket none\nbrowser-socket none\ndisable-scdaemon\n'

/** Returns the arguments of an agent that ends with the program that it starts, which reads until this process ends: by itself it would go on. */
function agentArguments(home: string): string[] {
  return ['--homedir', home, '--no-detach', '--daemon', 'cat']
}

/**
 * Opens an OpenPGP key. A private one is given to an agent of its own, in a directory that goes away with it; of a public one,
 * the agent of the setting signs.
 * @throws InvalidInputError for a file that holds not exactly one key, and what `sign` throws
 */
export async function openGpgSigner(place: SigningKeyPlace): Promise<CommitSigner> {
  const { file, passphraseFile, agentSocket } = place
  await using owned = new AsyncDisposableStack()
  const { path: home, socket } = owned.use(await makePrivateDirectory(file.isPrivate))
  const write = (name: string, content: string) => writeFile(join(home, name), content, { mode: 0o600 })
  await write('gpg.conf', `${gpgConfiguration}\n`)
  if (file.isPrivate) {
    await write('gpg-agent.conf', agentConfiguration)
    owned.use(await startAgent('gpg-agent', agentArguments(home), home, socket))
  } else if (agentSocket !== undefined) {
    await writeFile(socket, `%Assuan%\nsocket=${agentSocket}\n`)
  }
  const gpg = (args: string[], input: Buffer = Buffer.alloc(0), signal?: AbortSignal) =>
    runSigningProgram('gpg', ['--homedir', home, ...args], { home, input, signal })
  const imported = await gpg(['--import', '-'], Buffer.from(file.content))
  const key = onlyKey(
    (await gpg(['--list-keys', '--with-colons', '--with-subkey-fingerprint'])).stdout,
    place,
    imported.stderr,
  )
  const { stdout: publicKey } = await gpg(['--armor', '--export', '--', key.fingerprint])
  const unlocked = file.isPrivate
    ? [
        '--pinentry-mode',
        passphraseFile === undefined ? 'error' : 'loopback',
        ...(passphraseFile === undefined ? [] : ['--passphrase-file', passphraseFile]),
      ]
    : []
  const verify = async (commit: Buffer, signature: string, signal?: AbortSignal): Promise<SignatureCheck> => {
    const name = join(home, `signature-${randomUUID()}`)
    await writeFile(name, signature, { mode: 0o600 })
    try {
      const args = ['--status-fd', '1', '--verify', '--', name, '-']
      const { stdout, exitCode } = await gpg(args, commit, signal)
      return readVerdict(stdout, exitCode ?? -1, [key])
    } finally {
      await rm(name)
    }
  }
  const { fingerprint, owner, expiresAt } = key
  const sign = async (text: Buffer, signal?: AbortSignal): Promise<string> => {
    const args = [...unlocked, '--status-fd', '2', '--local-user', fingerprint, '--armor', '--detach-sign']
    const { stdout, stderr, exitCode } = await gpg(args, text, signal)
    if (exitCode !== 0 || stdout === '') throw signFailure(place, key, stderr)
    const { kind } = await verify(text, stdout)
    if (kind !== 'good') throw signFailure(place, key, `its signature is not good (${kind})`)
    return stdout
  }
  const moved = owned.move()
  return {
    key: { scheme: 'gpg', fingerprint, owner, publicKey, expiresAt },
    canSign: file.isPrivate || agentSocket !== undefined,
    sign,
    signBytes: async (bytes, signal) => Buffer.from(await sign(bytes, signal)),
    hasSigned: async (bytes, signature, signal) =>
      signature.toString('latin1').startsWith('-----BEGIN PGP SIGNATURE-----') &&
      (await verify(bytes, signature.toString('latin1'), signal)).kind === 'good',
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function onlyKey(list: string, { file }: SigningKeyPlace, messages: string): GpgKey {
  const [key, ...others] = readKeyList(list)
  if (key === undefined) {
    throw new InvalidInputError(`gpg reads no key of ${file.path}: ${firstReason(messages)}`)
  }
  if (others.length > 0) {
    throw new InvalidInputError(
      `${file.path} holds ${others.length + 1} keys; export the one that signs alone: gpg --export-secret-keys --armor KEYID`,
    )
  }
  return key
}

/** Returns the first message of gpg that is not about the files of its new directory. */
function firstReason(messages: string): string {
  const lines = messages.trim().split('\n')
  return lines.find((line) => !/\b(?:keybox|trustdb)\b/.test(line)) ?? ''
}

/** Says why gpg does not sign; its messages name keys and files, never a secret. */
function signFailure(
  { file, passphraseFile, agentSocket }: SigningKeyPlace,
  key: GpgKey,
  messages: string,
): UnavailableError {
  const named = `commits cannot be signed with GPG key ${key.keyId} of ${file.path}`
  if (key.revoked) return new UnavailableError(`${named}: it is revoked; replace it`)
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) {
    const day = new Date(key.expiresAt).toISOString().slice(0, 10)
    return new UnavailableError(
      `${named}: it expired on ${day}; extend it (gpg --quick-set-expire) and export it again, or replace it`,
    )
  }
  if (/Bad passphrase/i.test(messages) && passphraseFile !== undefined) {
    return new UnavailableError(`${named}: ${passphraseFile} does not hold its passphrase`)
  }
  if (/No pinentry|Bad passphrase/i.test(messages) && file.isPrivate) {
    return new UnavailableError(
      `${named}: it has a passphrase; name a file with it in WADI_SIGNING_KEY_PASSPHRASE_FILE, or as passphraseFile in WADI_SIGNING_KEYS`,
    )
  }
  const reason =
    messages
      .split('\n')
      .findLast((line) => line.startsWith('gpg: '))
      ?.slice('gpg: '.length) ?? messages.trim()
  const agent =
    agentSocket === undefined || file.isPrivate
      ? ''
      : `; see that the agent at ${agentSocket} runs and has the key`
  return new UnavailableError(`${named}: ${reason || 'gpg gives no reason'}${agent}`)
}
