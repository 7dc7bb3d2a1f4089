import { stat } from 'node:fs/promises'
import pLimit from 'p-limit'
import { DomainError, errorMessage, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { CommitSigner, PublicSigningKey } from './commit-signer.ts'
import { checkPassphraseFile, readKeyFile } from './key-file.ts'

/** Time in which a key can be replaced. */
const soonMs = 14 * 24 * 60 * 60 * 1000

/** A signer, and the state of the files that it was made from. */
interface Opened {
  signer: CommitSigner
  files: string
}

/** The place of a key for commits, and the name of the setting that gives it. */
export interface SigningKeySetting {
  setting: string
  /** A file with a private key, or with the public key of one that an agent has. */
  keyPath: string
  passphraseFile: string | undefined
  /** The socket of gpg-agent or ssh-agent. */
  agentSocket: string | undefined
}

/**
 * A signer that is opened from its files again when they change, as when a Secret is replaced, and after it failed, as when its agent
 * was away.
 */
export class HeldSigner implements CommitSigner {
  readonly setting: SigningKeySetting
  /** A signature may take two programs. */
  readonly #turns = pLimit(4)
  #signer: CommitSigner
  #files: string
  #opening: Promise<void> | undefined
  #failure: string | undefined

  private constructor(setting: SigningKeySetting, { signer, files }: Opened) {
    this.setting = setting
    this.#signer = signer
    this.#files = files
  }

  /**
   * Opens a key, and reports to `warn` what should be better.
   * @throws FailedPreconditionError or InvalidInputError that names setting and file for a key that cannot be used
   */
  static async open(setting: SigningKeySetting, warn: (message: string) => void): Promise<HeldSigner> {
    return new HeldSigner(setting, await open(setting, warn))
  }

  get key(): PublicSigningKey {
    return this.#signer.key
  }

  get canSign(): boolean {
    return this.#signer.canSign
  }

  /** @throws UnavailableError if the key cannot sign now: its files or its agent may be there again later */
  sign(commit: Buffer, signal?: AbortSignal): Promise<string> {
    return this.#with((signer) => signer.sign(commit, signal), signal)
  }

  /** @throws as `sign` */
  signBytes(bytes: Buffer, signal?: AbortSignal): Promise<Buffer> {
    return this.#with((signer) => signer.signBytes(bytes, signal), signal)
  }

  /** @throws as `sign` */
  hasSigned(bytes: Buffer, signature: Buffer, signal?: AbortSignal): Promise<boolean> {
    return this.#with((signer) => signer.hasSigned(bytes, signature, signal), signal)
  }

  async #with<Result>(
    task: (signer: CommitSigner) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    try {
      await this.#refresh()
      return await this.#turns(() => task(this.#signer))
    } catch (error) {
      if (signal?.aborted === true) throw error
      this.#failure = errorMessage(error)
      throw error instanceof DomainError ? error.as(UnavailableError) : error
    }
  }

  /** Returns the key that its files have now, or had when they could be read last. */
  async newestKey(): Promise<PublicSigningKey> {
    await this.#refresh().catch(() => undefined)
    return this.key
  }

  /** Returns the reason why it failed last, or the end of its key if that is near. */
  problem(): string | undefined {
    if (this.#failure !== undefined) return this.#failure
    const { fingerprint, expiresAt } = this.key
    if (expiresAt === undefined || expiresAt - Date.now() > soonMs) return undefined
    const day = new Date(expiresAt).toISOString().slice(0, 10)
    return `${this.setting.setting}: GPG key ${fingerprint} signs hydrated commits until ${day}; extend or replace it`
  }

  async #refresh(): Promise<void> {
    if (this.#failure === undefined && (await filesOf(this.setting)) === this.#files) return
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined))
    await this.#opening
  }

  async #reopen(): Promise<void> {
    const { signer, files } = await open(this.setting, () => undefined)
    const before = this.#signer
    this.#signer = signer
    this.#files = files
    this.#failure = undefined
    await before[Symbol.asyncDispose]()
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#signer[Symbol.asyncDispose]()
  }
}

async function open(
  { setting, keyPath, passphraseFile, agentSocket }: SigningKeySetting,
  warn: (message: string) => void,
): Promise<Opened> {
  // Before the key is read: a change that comes in between is noticed with the next signature.
  const files = await filesOf({ keyPath, passphraseFile })
  const file = await readKeyFile(keyPath, setting)
  if (file.isPrivate && agentSocket !== undefined) {
    throw new InvalidInputError(
      `${setting}: ${keyPath} is a private key, which needs no agent; give the public key of the one that the agent at ${agentSocket} has, or no agent`,
    )
  }
  if (!file.isPrivate && passphraseFile !== undefined) {
    throw new InvalidInputError(
      `${setting}: ${keyPath} is a public key, which has no passphrase; leave out ${passphraseFile}`,
    )
  }
  if (passphraseFile !== undefined) await checkPassphraseFile(passphraseFile, setting)
  if (file.isOpen) {
    warn(
      `${setting}: every user of the machine can read the private key ${keyPath}; take that right away with "chmod o-rwx"`,
    )
  }
  const place = { file, passphraseFile, agentSocket }
  const signer =
    file.scheme === 'gpg'
      ? await import('./gpg-signer.ts').then(({ openGpgSigner }) => openGpgSigner(place))
      : await import('./ssh-signer.ts').then(({ openSshSigner }) => openSshSigner(place))
  return { signer, files }
}

/** Tells whether files are still those that were read: a Secret that is mounted is replaced as a whole. */
async function filesOf({
  keyPath,
  passphraseFile,
}: Pick<SigningKeySetting, 'keyPath' | 'passphraseFile'>): Promise<string> {
  const paths = passphraseFile === undefined ? [keyPath] : [keyPath, passphraseFile]
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  return found.map((file) => (file ? `${file.ino} ${file.size} ${file.mtimeMs}` : 'missing')).join('\n')
}
