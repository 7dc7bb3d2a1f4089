import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { KindTrouble } from '@wadi/kubernetes/store/followed-kind.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { type ClusterDefinition, readClusterDefinitions } from './cluster-definitions.ts'
import { type ClusterPolicies, readClusterPolicies } from './cluster-policy-files.ts'
import { isClusterPolicyKind } from './cluster-policy-kinds.ts'
import type { FollowedParameters } from './followed-parameters.ts'

/** The time for which policies apply that are not followed any more, in ms: a restart of an API server takes less. */
const maxOutdatedMs = 10 * 60_000

type Parameters = Pick<FollowedParameters, 'read' | 'changes' | 'troubles'>

/** The policies of the cluster that keeps Wadi's objects, read once for each change. */
export class FollowedPolicies {
  readonly #store: Pick<ResourceStore, 'list'>
  readonly #parameters: Parameters
  readonly #troubles: () => readonly KindTrouble[]
  readonly #maxOutdatedMs: number
  #known: Promise<ClusterPolicies> | undefined
  #definitions: Promise<readonly ClusterDefinition[]> | undefined

  /**
   * @param store follows the kinds of `clusterPolicyKinds`
   * @param parameters of the same cluster
   * @param troubles returns the reasons why kinds are not followed
   * @param limit for tests: the time for which policies apply that are not followed any more, in ms
   */
  constructor(
    store: Pick<ResourceStore, 'list'>,
    parameters: Parameters,
    troubles: () => readonly KindTrouble[],
    limit = maxOutdatedMs,
  ) {
    this.#store = store
    this.#parameters = parameters
    this.#troubles = troubles
    this.#maxOutdatedMs = limit
  }

  /** Has them read again, since an object of the cluster has changed. */
  changed(): void {
    this.#known = undefined
    this.#definitions = undefined
  }

  /** Yields some seconds after changes of parameters, once for all since the last time. */
  parameterChanges(signal: AbortSignal): AsyncGenerator<void> {
    return this.#parameters.changes(signal)
  }

  /**
   * Returns the policies; while the API server is away, the last known ones.
   * @throws UnavailableError if it is away for more than 10 minutes, InvalidInputError above 4 MiB or 200 choices of parameters
   */
  async read(): Promise<ClusterPolicies> {
    this.#requireFollowed()
    const known = (this.#known ??= readClusterPolicies(this.#store, this.#parameters))
    try {
      return await known
    } catch (error) {
      // Parameters may be there at the next time.
      if (error instanceof UnavailableError && this.#known === known) this.#known = undefined
      throw error
    }
  }

  /**
   * Returns the CustomResourceDefinitions in the same way.
   * @throws UnavailableError as `read` does
   */
  async definitions(): Promise<readonly ClusterDefinition[]> {
    this.#requireFollowed()
    return await (this.#definitions ??= readClusterDefinitions(this.#store))
  }

  #requireFollowed(): void {
    const ofPolicies = this.#troubles().filter(({ kind }) => isClusterPolicyKind(kind))
    const outdated = [...ofPolicies, ...this.#parameters.troubles].find(
      ({ since = Infinity }) => performance.now() - since > this.#maxOutdatedMs,
    )
    if (outdated === undefined) return
    const minutes = Math.round((performance.now() - (outdated.since ?? 0)) / 60_000)
    const reason = `the policies of the cluster were followed last ${minutes} minutes ago: ${outdated.error.message}`
    throw new UnavailableError(reason, { cause: outdated.error })
  }
}
