import { join, resolve } from 'node:path'
import type { EventRecorder } from '@wadi/kubernetes/events/event-recorder.ts'
import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { KindTrouble } from '@wadi/kubernetes/store/followed-kind.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { openSqliteStore } from '@wadi/resources/store/sqlite-store.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import { applicationNamespaces } from './application-namespaces.ts'
import type { ClusterTroubles } from './cluster-troubles.ts'
import type { StateSettings } from './state-settings.ts'
import type { StoredObjects } from './stored-objects.ts'

/** The objects of an installation. */
export interface State extends AsyncDisposable {
  readonly store: ResourceStore
  /** The cluster that keeps them; undefined where a file does. */
  readonly cluster: KubernetesClient | undefined
  /** Writes Kubernetes Events about objects; undefined where a file keeps them, as nobody would see any there. */
  readonly events: EventRecorder | undefined
  /** Writes what is wrong with the cluster; to nobody where there is none. */
  readonly troubles: ClusterTroubles
  /** Why what is known of them may be old; undefined when it is not. */
  readonly warning: Warning
  /** The reasons why kinds are not known, or not current; none where a file keeps the objects. */
  readonly kindTroubles: () => readonly KindTrouble[]
}

/**
 * Opens the store that the settings name. In a cluster it returns once every object of the service is known; until then the service
 * answers `/healthz`, and `/readyz` with what is missing.
 * @param objects what the service does in a cluster
 * @throws InvalidInputError for settings that cannot be used, FailedPreconditionError outside of a pod without a kubeconfig, and the
 * reason of the signal
 */
export async function openState(
  base: ServiceBase,
  settings: StateSettings,
  objects: readonly StoredObjects[],
  signal?: AbortSignal,
): Promise<State> {
  await using owned = new AsyncDisposableStack()
  if (settings.store === 'sqlite') {
    const file = settings.stateFile ?? join(resolve(base.settings.dataDirectory), 'state.db')
    const store = owned.use(openSqliteStore({ file }))
    const noCluster = { cluster: undefined, events: undefined, troubles: { record: () => undefined } }
    return stateOf({ store, ...noCluster, warning: () => undefined, kindTroubles: () => [] }, owned.move())
  }
  const { openCluster } = await import('./open-cluster.ts')
  const namespaces = applicationNamespaces(settings.applicationNamespaces)
  const { store, client, events, troubles, warning } = owned.use(
    await openCluster(base, settings, { objects, namespaces, installation: settings.installation }, signal),
  )
  const kindTroubles = () => store.troubles
  return stateOf({ store, cluster: client, events, troubles, warning, kindTroubles }, owned.move())
}

function stateOf(state: Omit<State, typeof Symbol.asyncDispose>, owned: AsyncDisposableStack): State {
  return { ...state, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
