import { createHash } from 'node:crypto'
import { byKey } from '@wadi/order/by-name.ts'
import { growingCache } from '@wadi/concurrency/growing-cache.ts'
import { type GpgKeyring, openGpgKeyring } from './gpg-keyring.ts'
import { atTime, type SignatureCheck } from './signature-check.ts'
import type { SignedObject } from './signed-object.ts'
import { readSshSigners, verifySshSignature } from './ssh-signers.ts'
import type { Verifier } from './verifier.ts'

/** The keys that an operator trusts, as the objects of the control plane hold them. */
export interface KeyMaterial {
  /** Armoured public keys by key id or fingerprint. */
  gpgKeys: Readonly<Record<string, string>>
  allowedSigners: string
  revokedKeys: string
}

const maxVerdicts = 100_000

/** One set of trusted keys: verifies objects with it and keeps the verdicts, which depend on nothing else. */
export class TrustedKeys implements AsyncDisposable {
  readonly #verifier: Verifier
  readonly #material: KeyMaterial
  readonly #checks = growingCache<string, SignatureCheck>(maxVerdicts)
  #keyring: Promise<GpgKeyring> | undefined
  #using = 0
  #retired: PromiseWithResolvers<void> | undefined

  constructor(verifier: Verifier, material: KeyMaterial) {
    this.#verifier = verifier
    this.#material = material
  }

  /**
   * Returns the current verdict on the signature of an object.
   * @throws FailedPreconditionError when gpg or ssh-keygen is not installed, InvalidInputError for an unreadable list
   *   of signers
   */
  async check(object: SignedObject, signal?: AbortSignal): Promise<SignatureCheck> {
    const key = `${object.type} ${object.sha}`
    let check = this.#checks.get(key)
    if (!check) {
      check = await this.#verify(object, signal)
      this.#checks.set(key, check)
    }
    return atTime(check, Date.now())
  }

  /** Waits for what is verified, then removes the keyring. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#retired ??= Promise.withResolvers()
    if (this.#using === 0) this.#retired.resolve()
    await this.#retired.promise
    const [keyring] = await Promise.allSettled([this.#keyring])
    this.#keyring = undefined
    if (keyring.status === 'fulfilled') await keyring.value?.[Symbol.asyncDispose]()
  }

  async #verify(object: SignedObject, signal: AbortSignal | undefined): Promise<SignatureCheck> {
    const { scheme, signature, payload, at } = object
    if (scheme === 'none') return { kind: 'unsigned' }
    if (scheme === 'x509')
      return { kind: 'unreadable', reason: 'X.509 is not supported; sign with GPG or SSH' }
    if (scheme === 'unknown') return { kind: 'unreadable', reason: 'it is neither of GPG nor of SSH' }
    if (scheme === 'ssh') {
      const { allowedSigners, revokedKeys } = this.#material
      return verifySshSignature(
        readSshSigners(this.#verifier, allowedSigners, revokedKeys),
        { payload, signature, at },
        signal,
      )
    }
    this.#using++
    try {
      this.#keyring ??= this.#openKeyring()
      return await (await this.#keyring).verify(payload, signature, signal)
    } finally {
      this.#using--
      if (this.#using === 0) this.#retired?.resolve()
    }
  }

  /** A key that is not under its own name is ignored, so that one entry cannot bring in another key. */
  async #openKeyring(): Promise<GpgKeyring> {
    const names = Object.keys(this.#material.gpgKeys).map((name) => name.toUpperCase())
    const opening = openGpgKeyring(
      this.#verifier,
      Object.values(this.#material.gpgKeys).map((text) => Buffer.from(text)),
      names,
    )
    opening.catch(() => {
      this.#keyring = undefined
    })
    return opening
  }
}

/** Names a set of keys; equal for equal keys alone. */
export function keyMaterialDigest({ gpgKeys, allowedSigners, revokedKeys }: KeyMaterial): string {
  const sorted = Object.entries(gpgKeys).toSorted(byKey)
  return createHash('sha256')
    .update(JSON.stringify([sorted, allowedSigners, revokedKeys]))
    .digest('base64url')
}
