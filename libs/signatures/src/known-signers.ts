import { createPublicKey, type KeyObject } from 'node:crypto'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { readAllowedSigners } from './allowed-signers.ts'
import { isGitSignature } from './git-signature.ts'
import { type GpgKeyring, isKeybox, keyboxKeys, maxKeyringBytes, openGpgKeyring } from './gpg-keyring.ts'
import type { SignatureCheck, SigningKey } from './signature-check.ts'
import { isSignedBy, readSshPublicKey } from './ssh-public-key.ts'
import { readSshSignature } from './ssh-signature.ts'
import type { Verifier } from './verifier.ts'

/** A signature, and the bytes that it is over. */
export interface SignedBytes {
  readonly bytes: Buffer
  /** Armoured, or a plain one of an SSH or PEM key. */
  readonly signature: Buffer
  /** When it was made by its own account, in milliseconds since 1970. */
  readonly at: number
}

/** A key that verifies in this process. */
interface KnownKey {
  readonly key: KeyObject
  readonly shown: SigningKey
  readonly validAfter: number
  readonly validBefore: number
}

const sshKeyLine = /^(?:sk-)?(?:ssh|ecdsa)-\S+ /

/** The keys of files that may sign, of every kind that commit-server signs with. */
export class KnownSigners implements AsyncDisposable {
  readonly #keys: readonly KnownKey[]
  readonly #keyring: GpgKeyring | undefined

  private constructor(keys: readonly KnownKey[], keyring: GpgKeyring | undefined) {
    this.#keys = keys
    this.#keyring = keyring
  }

  /**
   * Opens files with public keys: OpenPGP, armoured, binary or in a keybox of gpg; SSH, as public keys or lines of allowed signers; PEM.
   * @param verifier where gpg verifies, if there are OpenPGP keys
   * @throws InvalidInputError that names the file and the line of what cannot be read
   */
  static async open(
    files: readonly { path: string; content: Buffer }[],
    verifier: () => Promise<Verifier>,
  ): Promise<KnownSigners> {
    const isGpg = ({ content }: { content: Buffer }) =>
      content.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----') || ((content[0] ?? 0) & 0x80) !== 0
    const [keyboxes = [], others = []] = [true, false].map((wanted) =>
      files.filter(({ content }) => isKeybox(content) === wanted),
    )
    let opened: Promise<Verifier> | undefined
    const open = () => (opened ??= verifier())
    const exported = keyboxes.map(({ path, content }) =>
      withContext(path, async () => keyboxKeys(await open(), content)),
    )
    const blocks = [...others.filter(isGpg).map(({ content }) => content), ...(await Promise.all(exported))]
    const keys = others
      .filter((file) => !isGpg(file))
      .flatMap(({ path, content }) => withContext(path, () => readKeys(content.toString())))
    const keyring =
      blocks.length > 0 ? await openGpgKeyring(await open(), blocks, undefined, maxKeyringBytes) : undefined
    if (keyring && keyring.keys.length === 0) {
      await keyring[Symbol.asyncDispose]()
      throw new InvalidInputError('gpg reads no key of the OpenPGP files; export it with "wadi gpg export"')
    }
    return new KnownSigners(keys, keyring)
  }

  /** Returns the verdict on each signature. */
  async checkAll(signed: readonly SignedBytes[], signal?: AbortSignal): Promise<SignatureCheck[]> {
    const gpg: { index: number; text: Buffer; signature: string }[] = []
    const checks = signed.map((each, index): SignatureCheck => {
      const text = each.signature.toString('latin1')
      if (text === '') return { kind: 'unsigned' }
      if (text.startsWith('-----BEGIN SSH SIGNATURE-----')) return this.#checkSsh(each, text)
      if (!text.startsWith('-----BEGIN')) return this.#checkPlain(each)
      gpg.push({ index, text: each.bytes, signature: text })
      return { kind: 'unknownKey', key: { scheme: 'gpg', shown: 'of OpenPGP', names: [], owner: '' } }
    })
    if (!this.#keyring || gpg.length === 0) return checks
    const verdicts = await this.#keyring.verifyAll(gpg, signal)
    for (const [position, { index }] of gpg.entries())
      checks[index] = verdicts[position] ?? { kind: 'unsigned' }
    return checks
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keyring?.[Symbol.asyncDispose]()
  }

  #checkSsh({ bytes, at }: SignedBytes, armoured: string): SignatureCheck {
    const signed = readSshSignature(armoured)
    if (!signed) return { kind: 'unreadable', reason: 'it is not an SSH signature' }
    const { fingerprint, publicKey } = signed
    const object = readSshPublicKey(publicKey)
    const shown: SigningKey = { scheme: 'ssh', shown: fingerprint, names: [fingerprint], owner: '' }
    const known = this.#keys.filter(({ key }) => object && key.equals(object))
    const [first] = known
    if (!first || !object) return { kind: 'unknownKey', key: shown }
    if (!isGitSignature(signed, object, bytes)) return { kind: 'bad', key: first.shown }
    return inTime(known, at) ?? { kind: 'expired', key: first.shown, what: 'key', at: first.validBefore }
  }

  #checkPlain({ bytes, signature, at }: SignedBytes): SignatureCheck {
    const known = this.#keys.filter(({ key }) => isSignedBy(key, bytes, signature))
    const [first] = known
    if (!first) return { kind: 'unreadable', reason: 'no known key made it' }
    return inTime(known, at) ?? { kind: 'expired', key: first.shown, what: 'key', at: first.validBefore }
  }
}

function inTime(keys: readonly KnownKey[], at: number): SignatureCheck | undefined {
  const valid = keys.find(({ validAfter, validBefore }) => validAfter <= at && at < validBefore)
  return valid && { kind: 'good', key: valid.shown, until: Infinity }
}

function readKeys(text: string): KnownKey[] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(text)) {
    throw new InvalidInputError(
      'this is a private key, which only its owner should have; give the public key',
    )
  }
  const always = { validAfter: -Infinity, validBefore: Infinity }
  if (text.includes('-----BEGIN PUBLIC KEY-----')) {
    const key = pemKey(text)
    return [{ key, shown: { scheme: 'ssh', shown: 'of PEM', names: [], owner: '' }, ...always }]
  }
  const lines = text.split('\n').map((line) => (sshKeyLine.test(line) ? `signer ${line}` : line))
  const keys = readAllowedSigners(lines.join('\n')).flatMap((signer): KnownKey[] => {
    const { fingerprint, principals, publicKey } = signer
    const key = readSshPublicKey(publicKey)
    const owner = principals.join(', ')
    const shown: SigningKey = { scheme: 'ssh', shown: fingerprint, names: [fingerprint], owner }
    const { validAfter = -Infinity, validBefore = Infinity } = signer
    return key ? [{ key, shown, validAfter, validBefore }] : []
  })
  if (keys.length > 0) return keys
  throw new InvalidInputError(
    'it has no key that verifies: expected OpenPGP public keys, lines of allowed signers with Ed25519, ECDSA or RSA keys, or a public key in PEM',
  )
}

function pemKey(text: string): KeyObject {
  try {
    return createPublicKey(text)
  } catch (error) {
    throw new InvalidInputError('the public key in PEM cannot be read', { cause: error })
  }
}
