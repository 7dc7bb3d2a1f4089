import { CanceledError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { installationSelector, withInstallation } from '@wadi/resources/installation-label.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { KubernetesClient } from '../client/kubernetes-client.ts'
import { FollowedKind, type FollowedObjects, type KindTrouble } from './followed-kind.ts'
import { storedKind } from './stored-kinds.ts'

/** Which objects of a cluster a store follows. */
export interface KubernetesStoreSettings {
  /** The namespaces of kinds that `followed` does not name; all by default. */
  readonly namespaces?: readonly string[]
  /**
   * Which objects of a kind are followed, for kinds of which it is not all. Secrets must be selected by name or label, since a
   * namespace may have tens of thousands; without an entry none is followed.
   */
  readonly followed?: Readonly<Record<string, readonly FollowedObjects[]>>
  /**
   * The name of the installation that the store belongs to, empty for the one without a name: of Applications and ApplicationSets there are then only those
   * that carry its label, or none. By default there are all, whatever label they carry.
   */
  readonly installation?: string
  /** The time that reads of a kind wait for its first list; 10 s by default. */
  readonly syncTimeoutMs?: number
  /** Called for what is tried again. */
  readonly onError: (error: unknown) => void
}

const defaultSyncTimeoutMs = 10_000

/** The kinds that a store follows, each from when it is first asked for. */
export class FollowedKinds implements AsyncDisposable {
  readonly #client: KubernetesClient
  readonly #settings: KubernetesStoreSettings
  readonly #kinds = new Map<string, FollowedKind>()
  #isClosed = false

  /** @throws InvalidInputError for Secrets that are selected by neither name nor label, and for a kind that is not stored */
  constructor(client: KubernetesClient, settings: KubernetesStoreSettings) {
    this.#client = client
    this.#settings = settings
    for (const kind of Object.keys(settings.followed ?? {})) storedKind(kind)
    if (settings.installation !== undefined) installationSelector(settings.installation)
    const secrets = settings.followed?.['Secret'] ?? []
    if (secrets.some(({ name, labelSelector = '' }) => name === undefined && labelSelector.trim() === '')) {
      throw new InvalidInputError('Secrets are followed by name or label selector; all of them are too many')
    }
  }

  /** The kind if it is followed already. */
  started(kind: string): FollowedKind | undefined {
    return this.#kinds.get(kind)
  }

  /** The kind, followed from now on. @throws InvalidInputError for a kind that is not stored, CanceledError after the end */
  start(kind: string): FollowedKind {
    if (this.#isClosed) throw new CanceledError('the store of the Kubernetes API is closed')
    const known = this.#kinds.get(kind)
    if (known !== undefined) return known
    const { namespaces, followed, syncTimeoutMs = defaultSyncTimeoutMs, onError } = this.#settings
    const everything = { ...(namespaces !== undefined && { namespaces }), ...this.#selection(kind) }
    const started = new FollowedKind({
      client: this.#client,
      resource: storedKind(kind).resource,
      followed:
        followed?.[kind]?.map((objects) => ({ ...objects, ...this.#selection(kind) })) ??
        (kind === 'Secret' ? [] : [everything]),
      syncTimeoutMs,
      onError,
    })
    this.#kinds.set(kind, started)
    return started
  }

  /** Which objects of a kind belong to the installation; nothing where all do. */
  #selection(kind: string): { labelSelector?: string } {
    const { installation } = this.#settings
    if (installation === undefined || storedKind(kind).installation !== 'selects') return {}
    return { labelSelector: installationSelector(installation) }
  }

  /** An object with the label of the installation, for kinds that carry it. @throws InvalidInputError for one of another installation */
  labelled(object: Resource): Resource {
    const { installation } = this.#settings
    const carriesLabel = installation !== undefined && storedKind(object.kind).installation !== undefined
    return carriesLabel ? withInstallation(object, installation) : object
  }

  /** The reasons why kinds are not known, or not current. */
  get troubles(): KindTrouble[] {
    return [...this.#kinds.values()].flatMap(({ trouble }) => trouble ?? [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#kinds.values()].map((kind) => kind[Symbol.asyncDispose]()))
  }
}
