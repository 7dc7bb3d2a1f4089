import { errorMessage } from '@wadi/errors/domain-error.ts'
import { BusyError } from '@wadi/kubernetes/client/status-error.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { findClusterConfig } from '@wadi/kubernetes/config/find-cluster-config.ts'
import { EventRecorder } from '@wadi/kubernetes/events/event-recorder.ts'
import { type KubernetesStore, openKubernetesStore } from '@wadi/kubernetes/store/kubernetes-store.ts'
import type { Warning } from '@wadi/rpc/health-registry.ts'
import { RepeatedLines } from '@wadi/rpc/repeated-lines.ts'
import type { ServiceBase } from '@wadi/rpc/service-base.ts'
import type { FollowedNamespaces } from './application-namespaces.ts'
import type { ClusterSettings } from './state-settings.ts'
import { clockWarning } from './clock-warning.ts'
import { askedAgain, type ClusterTroubles, clusterTroubles } from './cluster-troubles.ts'
import { followedObjects, isFollowed, neededRights, type StoredObjects } from './stored-objects.ts'
import { untilUsable } from './until-usable.ts'

/** The objects of a service in a cluster. */
export interface OpenCluster extends AsyncDisposable {
  readonly store: KubernetesStore
  readonly client: KubernetesClient
  /** Writes what people should see of objects. */
  readonly events: EventRecorder
  /** Writes what is wrong with the cluster. */
  readonly troubles: ClusterTroubles
  /** Why what is known of them may be old; undefined when it is not. */
  readonly warning: Warning
}

/** A service's use of a cluster. */
interface ClusterUse {
  readonly objects: readonly StoredObjects[]
  /** The namespaces of Applications, for services that have some. */
  readonly namespaces?: FollowedNamespaces
  /** The name of the installation, for the same services. */
  readonly installation?: string
}

/**
 * Opens the store of a cluster and returns once every object of the service is known; until then the service answers `/healthz`,
 * and `/readyz` with what is missing.
 * @throws FailedPreconditionError outside of a pod without a kubeconfig, InvalidInputError for one that cannot be used, and the reason
 * of the signal
 */
export async function openCluster(
  base: ServiceBase,
  settings: Pick<ClusterSettings, 'kubeconfig'>,
  { objects, namespaces = { namespaces: [] }, installation }: ClusterUse,
  signal?: AbortSignal,
): Promise<OpenCluster> {
  await using owned = new AsyncDisposableStack()
  const client = owned.use(new KubernetesClient(await findClusterConfig(settings.kubeconfig)))
  const lines = new RepeatedLines()
  const store = owned.use(
    openKubernetesStore(client, {
      followed: followedObjects(objects, namespaces),
      ...(installation !== undefined && { installation }),
      onError: (error) => {
        const reason = askedAgain(error)
        if (error instanceof BusyError) troubles.record('ApiServerBusy', reason)
        if (!lines.isRepeated(reason)) base.logger.warn({ reason }, 'the Kubernetes API is asked again')
      },
    }),
  )
  const events = owned.use(
    new EventRecorder({ client, store, service: base.name, onError: onEventError(base) }),
  )
  const troubles = clusterTroubles(objects, events)
  const rights = neededRights(objects, namespaces)
  const kinds = objects.filter(isFollowed).map(({ kind }) => kind)
  await untilUsable(base, { cluster: client, store, rights, kinds, troubles }, signal)
  const clock = () => {
    const found = clockWarning(client)
    if (found !== undefined && !lines.isRepeated('clock')) {
      base.logger.warn({ reason: found }, 'clocks differ')
      troubles.record('ClocksDiffer', found)
    }
    return found
  }
  const warning = () =>
    [...store.troubles.map(({ error }) => error.message), clock() ?? []].flat().join('; ') || undefined
  clock()
  const moved = owned.move()
  return { store, client, events, troubles, warning, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

/** Returns the handler of failed Events, whose loss does no harm: records and logs have their text too. */
function onEventError({ logger }: ServiceBase): (error: unknown) => void {
  const lines = new RepeatedLines()
  return (error) => {
    const reason = errorMessage(error)
    if (!lines.isRepeated(reason)) logger.warn({ reason }, 'a Kubernetes Event was not written')
  }
}
