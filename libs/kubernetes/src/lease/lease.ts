import { setTimeout as delay } from 'node:timers/promises'
import { AlreadyExistsError, ConflictError, NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ApiResource } from '../client/api-resource.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import { microTime } from '../client/micro-time.ts'

/** Leases, by which processes agree who of them works. */
export const leaseResource: ApiResource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
}

/** Which Lease a process wants, and as whom. */
export interface LeaseSettings {
  readonly namespace: string
  readonly name: string
  /** Names this process; one that starts again under the same name goes on with its Lease. */
  readonly holder: string
  /** The time for which the Lease of a dead process stays taken, in milliseconds; 15 s by default. */
  readonly durationMs?: number
  /** Called with the name of the holder, each time it is found taken. */
  readonly onTaken: (holder: string) => void
  /** Called when somebody else has it, after this process could not renew it in time. Not called by disposal. */
  readonly onLost: (holder: string) => void
  /** Called for requests that failed and are tried again. */
  readonly onError: (error: unknown) => void
}

interface LeaseSpec {
  holderIdentity?: string
  leaseDurationSeconds?: number
  acquireTime?: string
  renewTime?: string
  leaseTransitions?: number
}

const defaultDurationMs = 15_000
/** The holder asks this often in the time that the Lease is good for, and so do those that wait. */
const requestsInDuration = 3

/**
 * Waits until this process has a Lease, then renews it; disposal gives it back. That another process is gone is seen by its Lease standing still
 * for as long as it is good for, by this process's own clock, so clocks may differ. While the API server is away, the Lease stays.
 * @throws the reason of the signal
 */
export async function acquireLease(
  client: KubernetesClient,
  settings: LeaseSettings,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { namespace, name, holder, durationMs = defaultDurationMs, onTaken, onError } = settings
  const key = { namespace, name }
  let seen = { version: '', at: performance.now() }
  for (;;) {
    try {
      const stored = await readLease(client, key, signal)
      const version = stored?.metadata.resourceVersion ?? ''
      if (version !== seen.version) seen = { version, at: performance.now() }
      const spec = specOf(stored)
      const taken = spec.holderIdentity ?? ''
      const goodForMs = (spec.leaseDurationSeconds ?? 0) * 1_000
      if (taken === '' || taken === holder || performance.now() - seen.at > goodForMs) {
        return new HeldLease(client, settings, await take(client, settings, stored, signal))
      }
      onTaken(taken)
    } catch (error) {
      signal.throwIfAborted()
      // Somebody was faster.
      if (!(error instanceof ConflictError || error instanceof AlreadyExistsError)) onError(error)
    }
    await delay(durationMs / requestsInDuration, undefined, { signal })
  }
}

async function readLease(
  client: KubernetesClient,
  key: { namespace: string; name: string },
  signal: AbortSignal,
): Promise<Resource | undefined> {
  try {
    return await client.get(leaseResource, key, signal)
  } catch (error) {
    if (error instanceof NotFoundError && error.code !== 'unknown-kind') return undefined
    throw error
  }
}

async function take(
  client: KubernetesClient,
  { namespace, name, holder, durationMs = defaultDurationMs }: LeaseSettings,
  stored: Resource | undefined,
  signal: AbortSignal,
): Promise<Resource> {
  const { leaseTransitions = 0 } = specOf(stored)
  const now = microTime()
  const spec: LeaseSpec = {
    holderIdentity: holder,
    leaseDurationSeconds: Math.ceil(durationMs / 1_000),
    acquireTime: now,
    renewTime: now,
    leaseTransitions: stored === undefined ? 0 : leaseTransitions + 1,
  }
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: { ...spec } }
  if (stored === undefined) {
    return client.create(leaseResource, { ...lease, metadata: { namespace, name } }, signal)
  }
  const { resourceVersion } = stored.metadata
  const metadata = { namespace, name, ...(resourceVersion !== undefined && { resourceVersion }) }
  return client.update(leaseResource, { ...lease, metadata }, signal)
}

/** A Lease that is renewed until it is given back. */
class HeldLease implements AsyncDisposable {
  readonly #client: KubernetesClient
  readonly #settings: LeaseSettings
  readonly #end = new AbortController()
  readonly #renewing: Promise<void>
  #lease: Resource
  #isLost = false

  constructor(client: KubernetesClient, settings: LeaseSettings, lease: Resource) {
    this.#client = client
    this.#settings = settings
    this.#lease = lease
    this.#renewing = this.#renewUntilEnd()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort()
    await this.#renewing
    if (this.#isLost) return
    try {
      await this.#write({ holderIdentity: '', leaseDurationSeconds: 1 })
    } catch (error) {
      // The next one waits until it is over.
      this.#settings.onError(error)
    }
  }

  async #renewUntilEnd(): Promise<void> {
    const { signal } = this.#end
    const { durationMs = defaultDurationMs, onError } = this.#settings
    while (!signal.aborted && !this.#isLost) {
      await delay(durationMs / requestsInDuration, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await this.#renew(signal)
      } catch (error) {
        if (!signal.aborted) onError(error)
      }
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    try {
      await this.#write({ renewTime: microTime() }, signal)
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof NotFoundError)) throw error
      await this.#readAgain(signal)
    }
  }

  async #readAgain(signal: AbortSignal): Promise<void> {
    const { namespace, name, holder, onLost } = this.#settings
    const stored = await readLease(this.#client, { namespace, name }, signal)
    const { holderIdentity = '' } = specOf(stored)
    if (stored !== undefined && holderIdentity !== holder && holderIdentity !== '') {
      this.#isLost = true
      onLost(holderIdentity)
      return
    }
    // Somebody may have deleted or emptied it.
    this.#lease =
      stored === undefined || holderIdentity === ''
        ? await take(this.#client, this.#settings, stored, signal)
        : stored
  }

  async #write(change: LeaseSpec, signal?: AbortSignal): Promise<void> {
    const lease = { ...this.#lease, spec: { ...this.#lease.spec, ...change } }
    this.#lease = await this.#client.update(leaseResource, lease, signal)
  }
}

function specOf(lease: Resource | undefined): LeaseSpec {
  return lease?.spec ?? {}
}
