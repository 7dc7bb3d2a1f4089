import { type KeyObject, randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  errorMessage,
  FailedPreconditionError,
  InvalidInputError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { gitSignature, gitSignedBytes } from '../git-signature.ts'
import { isSignedBy, plainSignature, readSshPublicKey } from '../ssh-public-key.ts'
import { fingerprintOf } from '../ssh-signature.ts'
import { agentSignature } from './agent-signature.ts'
import type { CommitSigner, PublicSigningKey, SigningKeyPlace } from './commit-signer.ts'
import { makePrivateDirectory } from './private-directory.ts'
import { runSigningProgram, startAgent } from './run-signing-program.ts'

/** The principal of the keys in files of allowed signers. */
const principal = 'wadi'

/**
 * Opens an SSH key. A private one is given to an agent of its own, which keeps it in memory; of a public one, the agent of the
 * setting signs. The agent is asked by its protocol, and ssh-keygen only for keys that this process cannot verify, as those of FIDO devices.
 * @throws FailedPreconditionError for a wrong passphrase, and what `sign` throws
 */
export async function openSshSigner(place: SigningKeyPlace): Promise<CommitSigner> {
  const { file, agentSocket } = place
  await using owned = new AsyncDisposableStack()
  const { path: home, socket } = owned.use(await makePrivateDirectory(file.isPrivate))
  const write = (name: string, content: string) => writeFile(join(home, name), content, { mode: 0o600 })
  const environment = { SSH_AUTH_SOCK: file.isPrivate ? socket : (agentSocket ?? '') }
  const run: RunProgram = (command, args, input = Buffer.alloc(0), signal) =>
    runSigningProgram(command, args, { home, environment, input, signal })
  if (file.isPrivate) {
    owned.use(await startAgent('ssh-agent', ['-D', '-a', socket], home, socket))
    await addKey(place, home, environment)
  }
  const line = file.isPrivate
    ? (await run('ssh-add', ['-L'])).stdout.replace(join(home, 'key'), '')
    : file.content
  const key = publicKeyOf(line, file.path)
  await write('key.pub', line)
  await write('allowed', `${key.publicKey}\n`)
  const failure = (messages: string) => signFailure(place, key, messages)
  const program = keygen(run, home, failure)
  const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64')
  const publicKey = readSshPublicKey(blob)
  /** The agent's signature in SSH's encoding, and plain. */
  const askAgent = async (verifier: KeyObject, bytes: Buffer, signal?: AbortSignal) => {
    const asked = agentSignature(environment.SSH_AUTH_SOCK, blob, bytes, signal)
    const signature = await asked.catch((error: unknown) => {
      throw failure(errorMessage(error))
    })
    const plain = signature && plainSignature(signature)
    if (signature && plain && isSignedBy(verifier, bytes, plain.bytes, plain.algorithm))
      return { signature, plain }
    throw failure(plain ? 'its signature is not good' : 'its agent does not give it')
  }
  const moved = owned.move()
  return {
    key,
    canSign: file.isPrivate || agentSocket !== undefined,
    async sign(text, signal) {
      if (publicKey === undefined) return program.sign(text, signal)
      const { signature } = await askAgent(publicKey, gitSignedBytes(text), signal)
      return gitSignature(blob, signature)
    },
    async signBytes(bytes, signal) {
      if (publicKey === undefined) return Buffer.from(await program.sign(bytes, signal))
      return (await askAgent(publicKey, bytes, signal)).plain.bytes
    },
    hasSigned: async (bytes, signature, signal) =>
      publicKey
        ? isSignedBy(publicKey, bytes, signature)
        : (await program.verify(bytes, signature.toString('latin1'), signal)).exitCode === 0,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Runs a program that signs. */
type RunProgram = (
  command: string,
  args: string[],
  input?: Buffer,
  signal?: AbortSignal,
) => ReturnType<typeof runSigningProgram>

/** Signs with ssh-keygen, and verifies, with the files `key.pub` and `allowed` of a directory. */
function keygen(run: RunProgram, home: string, failure: (messages: string) => UnavailableError) {
  const verify = async (text: Buffer, signature: string, signal?: AbortSignal) => {
    const name = join(home, `signature-${randomUUID()}`)
    await writeFile(name, signature, { mode: 0o600 })
    try {
      const args = ['-Y', 'verify', '-f', join(home, 'allowed'), '-I', principal, '-n', 'git', '-s', name]
      return await run('ssh-keygen', args, text, signal)
    } finally {
      await rm(name)
    }
  }
  const sign = async (text: Buffer, signal?: AbortSignal): Promise<string> => {
    const args = ['-Y', 'sign', '-n', 'git', '-f', join(home, 'key.pub')]
    const { stdout, stderr, exitCode } = await run('ssh-keygen', args, text, signal)
    if (exitCode !== 0 || stdout === '') throw failure(stderr)
    const { exitCode: verdict, stderr: reason } = await verify(text, stdout)
    if (verdict !== 0) throw failure(`its signature is not good: ${reason}`)
    return stdout
  }
  return { sign, verify }
}

/** Gives the private key to the agent. ssh-add reads the passphrase from its input, as it has no terminal and may ask no program. */
async function addKey(
  { file, passphraseFile }: SigningKeyPlace,
  home: string,
  environment: Record<string, string>,
): Promise<void> {
  const name = join(home, 'key')
  await writeFile(name, `${file.content.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode: 0o600 })
  try {
    const [passphrase = ''] =
      passphraseFile === undefined ? [] : (await readFile(passphraseFile, 'utf8')).split(/\r?\n/)
    const { stderr, exitCode } = await runSigningProgram('ssh-add', ['-q', '--', name], {
      home,
      environment: { ...environment, SSH_ASKPASS_REQUIRE: 'never' },
      input: `${passphrase}\n`,
    })
    if (exitCode === 0) return
    const reason = stderr.replaceAll(name, file.path).trim().split('\n').at(-1) ?? ''
    const isLocked = /passphrase/i.test(stderr)
    const advice = !isLocked
      ? ` cannot be used: ${reason}; give a private key of ssh-keygen`
      : passphraseFile === undefined
        ? ' has a passphrase; name a file with it in WADI_SIGNING_KEY_PASSPHRASE_FILE, or as passphraseFile in WADI_SIGNING_KEYS'
        : ` is not opened by the passphrase in ${passphraseFile}`
    throw new FailedPreconditionError(`the SSH key ${file.path}${advice}`)
  } finally {
    await rm(name, { force: true })
  }
}

function publicKeyOf(line: string, path: string): PublicSigningKey {
  const [type = '', base64 = '', ...comment] = line.trim().split(' ')
  const bytes = Buffer.from(base64, 'base64')
  const length = bytes.length < 4 ? 0 : bytes.readUInt32BE(0)
  if (type === '' || bytes.toString('latin1', 4, 4 + length) !== type) {
    throw new InvalidInputError(`${path} holds no SSH public key`)
  }
  return {
    scheme: 'ssh',
    fingerprint: fingerprintOf(bytes),
    owner: comment.join(' '),
    publicKey: `${principal} namespaces="git" ${type} ${base64}`,
    expiresAt: undefined,
  }
}

/** Says why ssh-keygen does not sign; its messages name keys and files, never a secret. */
function signFailure(
  { file, agentSocket }: SigningKeyPlace,
  { fingerprint }: PublicSigningKey,
  messages: string,
): UnavailableError {
  const lines = messages.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('Signing data'))
  const reason = lines[0]?.replace(/^No private key found.*/, 'its agent does not give it')
  const agent = file.isPrivate ? '' : `; see that the agent at ${agentSocket ?? ''} runs and has the key`
  const named = `commits cannot be signed with SSH key ${fingerprint} of ${file.path}`
  return new UnavailableError(`${named}: ${reason ?? 'ssh-keygen gives no reason'}${agent}`)
}
