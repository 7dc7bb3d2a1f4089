import { type KeyMaterial, keyMaterialDigest, TrustedKeys } from './trusted-keys.ts'
import type { Verifier } from './verifier.ts'

const maxSets = 4

/** The sets of keys in use; the one that was not used for longest goes when there are too many. */
export class KeyPool implements AsyncDisposable {
  /** Where and how signatures are verified. */
  readonly verifier: Verifier
  readonly #sets = new Map<string, TrustedKeys>()
  readonly #closing = new Set<Promise<void>>()

  constructor(verifier: Verifier) {
    this.verifier = verifier
  }

  /** The keys of a control plane, with the verdicts that are known already. */
  open(material: KeyMaterial): TrustedKeys {
    const digest = keyMaterialDigest(material)
    const keys = this.#sets.get(digest) ?? new TrustedKeys(this.verifier, material)
    this.#sets.delete(digest)
    this.#sets.set(digest, keys)
    const oldest = this.#sets.entries().next()
    if (this.#sets.size > maxSets && !oldest.done) {
      const [name, unused] = oldest.value
      this.#sets.delete(name)
      this.#close(unused)
    }
    return keys
  }

  /** Removes all keyrings. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const keys of this.#sets.values()) this.#close(keys)
    this.#sets.clear()
    await Promise.all(this.#closing)
  }

  #close(keys: TrustedKeys): void {
    const closing = keys[Symbol.asyncDispose]().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
