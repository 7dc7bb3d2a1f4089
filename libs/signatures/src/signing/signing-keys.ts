import { InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import type { CommitSigner, PublicSigningKey } from './commit-signer.ts'
import { HeldSigner, type SigningKeySetting } from './held-signer.ts'

/** A key, and the commits that it is for. */
export interface SigningKeyEntry extends SigningKeySetting {
  /** Empty for all. */
  readonly projects: string[]
  /** Globs; empty for all. */
  readonly repositories: string[]
  /** Returns true for the commits of a project in a repository, undefined for any; the project is empty for a branch of several. */
  readonly isFor: (project: string | undefined, repoUrl: string | undefined) => boolean
}

/** A public key with what its entry says of it. */
interface ListedKey extends PublicSigningKey, Pick<SigningKeyEntry, 'projects' | 'repositories'> {
  /** True if the private key is there: in a file, or in an agent. */
  signs: boolean
}

/**
 * The keys of hydrated commits. Of those that are for a commit, the first that can sign signs; the others are known for commits that they
 * signed before.
 */
export class SigningKeys implements AsyncDisposable {
  readonly #keys: readonly { entry: SigningKeyEntry; signer: HeldSigner }[]

  constructor(keys: readonly { entry: SigningKeyEntry; signer: HeldSigner }[]) {
    this.#keys = keys
  }

  /**
   * Returns the signer of the commits of a project in a repository.
   * @throws UnavailableError if no key is for them
   */
  signerOf(project: string, repoUrl: string): CommitSigner {
    const found = this.#keys.find(({ entry, signer }) => signer.canSign && entry.isFor(project, repoUrl))
    if (found) return found.signer
    throw new UnavailableError(
      `no signing key is for ${project === '' ? 'a branch of several projects' : `project ${project}`} in this repository; ` +
        'add one to WADI_SIGNING_KEYS, or one for all in WADI_SIGNING_KEY_PATH',
    )
  }

  /** Returns the keys for the commits of a project and in a repository, empty for any, in the order in which one is chosen to sign. */
  async list({ project, repoUrl }: { project: string; repoUrl: string }): Promise<ListedKey[]> {
    const known = this.#keys.filter(({ entry }) => entry.isFor(project || undefined, repoUrl || undefined))
    return Promise.all(
      known.map(async ({ entry: { projects, repositories }, signer }) => ({
        ...(await signer.newestKey()),
        signs: signer.canSign,
        projects,
        repositories,
      })),
    )
  }

  /** Returns the warning about keys that cannot sign for much longer, or could not when they were asked last; undefined for none. */
  warning(): string | undefined {
    const problems = this.#keys.flatMap(({ signer }) => (signer.canSign ? (signer.problem() ?? []) : []))
    return problems.length > 0 ? problems.join('; ') : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#keys.map(({ signer }) => signer[Symbol.asyncDispose]()))
  }
}

/**
 * Opens keys, and makes a signature with each that can, so that a key which does not work is found at once.
 * @throws the error of the first key that cannot be used; InvalidInputError if none can sign
 */
export async function openSigningKeys(
  entries: readonly SigningKeyEntry[],
  warn: (message: string) => void,
): Promise<SigningKeys> {
  await using opened = new AsyncDisposableStack()
  const keys = []
  for (const entry of entries) {
    const signer = opened.use(await HeldSigner.open(entry, warn))
    if (signer.canSign)
      await withContext(entry.setting, () =>
        signer.sign(Buffer.from('Signed by commit-server at its start\n')),
      )
    keys.push({ entry, signer })
  }
  if (!keys.some(({ signer }) => signer.canSign)) {
    const given = entries.map(({ setting, keyPath }) => `${setting}: ${keyPath}`).join(', ')
    throw new InvalidInputError(
      `no key signs, as each is public: ${given || 'the list of WADI_SIGNING_KEYS is empty'}; name the socket of the agent that has the private key, or give the private key`,
    )
  }
  opened.move()
  return new SigningKeys(keys)
}
