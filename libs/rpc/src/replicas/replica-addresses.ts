import { Resolver } from 'node:dns/promises'
import { errorMessage, InvalidInputError, UnavailableError } from '@wadi/errors/domain-error.ts'

/** The time for which the answer of a name server is used. Within twice this time a new replica gets work. */
const lookupIntervalMs = 5_000
const lookupTimeoutMs = 2_000
const sparePrefix = 'spare+'

/** Answers SRV questions; the system's name servers by default. */
export type SrvResolver = Pick<Resolver, 'resolveSrv'>

/**
 * The addresses of a service's replicas: those that are listed, and for `srv+http://name` or `srv+https://name` those that the
 * SRV records of the name list now. A headless Service of Kubernetes has such records for its ready pods, and those of a
 * StatefulSet keep their names when they restart.
 */
export class ReplicaAddresses {
  /**
   * Addresses at which any ready replica answers, listed as `spare+http://host:port`: that of a Service, which is true at once while name
   * servers remember for half a minute which replicas there were.
   */
  readonly spares: readonly string[]
  readonly #listed: readonly string[]
  readonly #names: readonly SrvName[]
  /** Opened when a name is looked up for the first time. */
  #resolver: SrvResolver | undefined
  #found: { addresses: readonly string[]; at: number } | undefined
  #lookup: Promise<readonly string[]> | undefined

  /** @throws InvalidInputError when there is no endpoint at all */
  constructor(service: string, endpoints: readonly string[], resolver?: SrvResolver) {
    if (endpoints.length === 0) throw new InvalidInputError(`no endpoint is configured for ${service}`)
    const isSpare = (endpoint: string) => endpoint.startsWith(sparePrefix)
    this.spares = endpoints.filter(isSpare).map((endpoint) => endpoint.slice(sparePrefix.length))
    this.#listed = endpoints.filter((endpoint) => !isSpare(endpoint) && srvName(endpoint) === undefined)
    this.#names = endpoints.flatMap((endpoint) => srvName(endpoint) ?? [])
    this.#resolver = resolver
  }

  /**
   * The addresses as of at most a few seconds ago. Only the first call waits for a name server; while none answers, the addresses
   * that were found last are used.
   * @throws UnavailableError as long as no name server has answered
   */
  async current(): Promise<readonly string[]> {
    if (this.#names.length === 0) return this.#listed
    const isFresh = this.#found !== undefined && performance.now() - this.#found.at < lookupIntervalMs
    if (isFresh) return this.#found?.addresses ?? []
    this.#lookup ??= this.#resolve().finally(() => {
      this.#lookup = undefined
    })
    if (this.#found === undefined) return this.#lookup
    this.#lookup.catch(() => undefined)
    return this.#found.addresses
  }

  async #resolve(): Promise<readonly string[]> {
    const answers = await Promise.all(this.#names.map((name) => this.#resolveName(name)))
    const addresses = [...new Set([...this.#listed, ...answers.flat()])].toSorted()
    this.#found = { addresses, at: performance.now() }
    return addresses
  }

  async #resolveName({ scheme, name }: SrvName): Promise<string[]> {
    try {
      this.#resolver ??= systemResolver()
      const records = await this.#resolver.resolveSrv(name)
      return records.map((record) => `${scheme}://${record.name}:${record.port}`)
    } catch (cause) {
      // A Service without a ready pod has no records; others fail when they are asked.
      if (isNoRecords(cause)) return []
      throw new UnavailableError(`cannot look up the SRV records of ${name}: ${errorMessage(cause)}`, {
        cause,
      })
    }
  }
}

interface SrvName {
  scheme: 'http' | 'https'
  name: string
}

/** The name whose SRV records an endpoint stands for; undefined for one that is an address itself. */
function srvName(endpoint: string): SrvName | undefined {
  const url = /^srv\+https?:/.test(endpoint) ? URL.parse(endpoint.slice('srv+'.length)) : null
  return url === null
    ? undefined
    : { scheme: url.protocol === 'https:' ? 'https' : 'http', name: url.hostname }
}

function systemResolver(): Resolver {
  return new Resolver({ timeout: lookupTimeoutMs, tries: 2 })
}

function isNoRecords(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOTFOUND' || code === 'ENODATA'
}
