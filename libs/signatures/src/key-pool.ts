import { LRUCache } from 'lru-cache'
import { type KeyMaterial, keyMaterialDigest, TrustedKeys } from './trusted-keys.ts'
import type { Verifier } from './verifier.ts'

const maxSets = 4

/** The sets of keys in use; the one that was not used for longest goes when there are too many. */
export class KeyPool implements AsyncDisposable {
  /** The directory and the containment in which signatures are verified. */
  readonly verifier: Verifier
  readonly #sets = new LRUCache<string, TrustedKeys>({
    max: maxSets,
    dispose: (unused) => this.#close(unused),
  })
  readonly #closing = new Set<Promise<void>>()

  constructor(verifier: Verifier) {
    this.verifier = verifier
  }

  /** The keys of a control plane, with the verdicts that are known already. */
  open(material: KeyMaterial): TrustedKeys {
    const digest = keyMaterialDigest(material)
    const keys = this.#sets.get(digest) ?? new TrustedKeys(this.verifier, material)
    this.#sets.set(digest, keys)
    return keys
  }

  /** Removes all keyrings. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#sets.clear()
    await Promise.all(this.#closing)
  }

  #close(keys: TrustedKeys): void {
    const closing = keys[Symbol.asyncDispose]().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
