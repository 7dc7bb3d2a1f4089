import { errorMessage, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { AccountIssuer } from '@wadi/kubernetes/client/account-issuer.ts'

const renewMs = 60 * 60_000
/** Between two readings for tokens of unknown keys, which anybody may send. */
const minPauseMs = 10_000
/** Between two readings that failed. */
const retryMs = 1_000

/**
 * The public keys of the issuer of a cluster's tokens. They are read once, each hour, and when a token names an unknown key; while the API
 * server is away, those that are known stay good.
 */
export class AccountKeys {
  readonly #read: () => Promise<AccountIssuer>
  readonly #now: () => number
  #known: AccountIssuer | undefined
  #reading: Promise<AccountIssuer> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #failure: { readonly error: UnavailableError; readonly at: number } | undefined

  /** @param now a clock in milliseconds */
  constructor(read: () => Promise<AccountIssuer>, now: () => number = () => performance.now()) {
    this.#read = read
    this.#now = now
  }

  /** Returns the keys. @throws UnavailableError while they could never be read */
  async current(): Promise<AccountIssuer> {
    if (this.#known === undefined) return this.#renew()
    if (this.#now() - this.#readAt > renewMs) this.#renew().catch(() => undefined)
    return this.#known
  }

  /**
   * Returns newer keys for a token that the known ones do not fit; undefined when they were read a moment ago.
   * @throws UnavailableError when they cannot be read, so that nobody knows whether the token is good
   */
  async renewed(): Promise<AccountIssuer | undefined> {
    return this.#now() - this.#readAt < minPauseMs ? undefined : this.#renew()
  }

  #renew(): Promise<AccountIssuer> {
    const { error, at } = this.#failure ?? { at: Number.NEGATIVE_INFINITY }
    if (error !== undefined && this.#now() - at < retryMs) return Promise.reject(error)
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readNow(): Promise<AccountIssuer> {
    try {
      this.#known = await this.#read()
      this.#readAt = this.#now()
      this.#failure = undefined
      return this.#known
    } catch (cause) {
      const error = new UnavailableError(
        `the keys of ServiceAccount tokens cannot be read from the Kubernetes API, so callers cannot be known: ${errorMessage(cause)}`,
        { cause },
      )
      this.#failure = { error, at: this.#now() }
      throw error
    }
  }
}
