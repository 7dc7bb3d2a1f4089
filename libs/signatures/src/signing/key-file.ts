import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { errorMessage, FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'

/** A file with a key, private or public. */
export interface KeyFile {
  path: string
  scheme: 'gpg' | 'ssh'
  isPrivate: boolean
  content: string
  /** True if every user of the machine can read it. */
  isOpen: boolean
}

const maxKeyBytes = 256 * 1024

const beginnings: readonly [RegExp, Pick<KeyFile, 'scheme' | 'isPrivate'>][] = [
  [/^-----BEGIN PGP PRIVATE KEY BLOCK-----/m, { scheme: 'gpg', isPrivate: true }],
  [/^-----BEGIN PGP PUBLIC KEY BLOCK-----/m, { scheme: 'gpg', isPrivate: false }],
  [/^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/m, { scheme: 'ssh', isPrivate: true }],
  [/^-----BEGIN ENCRYPTED PRIVATE KEY-----/m, { scheme: 'ssh', isPrivate: true }],
  [
    /^(?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}(?: .*)?\s*$/,
    { scheme: 'ssh', isPrivate: false },
  ],
]

/**
 * Reads a file with a key and tells its kind.
 * @param setting names what gave the path, in messages
 * @throws FailedPreconditionError if it cannot be read, InvalidInputError if it holds no key
 */
export async function readKeyFile(path: string, setting: string): Promise<KeyFile> {
  const content = await readSmallFile(path, `${setting}: the signing key`)
  const [, kind] = beginnings.find(([beginning]) => beginning.test(content)) ?? []
  if (kind === undefined) {
    throw new InvalidInputError(
      `${setting}: ${path} holds no key that signs: expected an OpenPGP key in ASCII armour (gpg --export-secret-keys --armor KEYID), ` +
        'an SSH private key, or the public key of one that an agent has',
    )
  }
  const { mode } = await stat(path)
  return { path, ...kind, content, isOpen: kind.isPrivate && (mode & 0o007) !== 0 }
}

/**
 * Checks that a file with a passphrase has one.
 * @throws FailedPreconditionError if it cannot be read, InvalidInputError if it is empty
 */
export async function checkPassphraseFile(path: string, setting: string): Promise<void> {
  const [line = ''] = (await readSmallFile(path, `${setting}: the passphrase of the signing key`)).split('\n')
  if (line === '')
    throw new InvalidInputError(`${setting}: the first line of ${path} is empty; write the passphrase there`)
}

async function readSmallFile(path: string, subject: string): Promise<string> {
  // Who gave the secret itself must not find it in the log.
  if (!isAbsolute(path) || path.includes('\n')) {
    throw new InvalidInputError(`${subject} must be given as the absolute path of a file`)
  }
  try {
    const { size } = await stat(path)
    if (size > maxKeyBytes) throw new InvalidInputError(`the file has more than ${maxKeyBytes} bytes`)
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new FailedPreconditionError(
      `${subject} cannot be read: ${errorMessage(error)}; mount it there, readable for the user that commit-server runs as`,
      { cause: error },
    )
  }
}
