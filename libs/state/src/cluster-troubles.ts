import { installationConfigMap } from '@wadi/hydration/installation-id.ts'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { BusyError } from '@wadi/kubernetes/client/status-error.ts'
import type { EventRecorder } from '@wadi/kubernetes/events/event-recorder.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { StoredObjects } from './stored-objects.ts'

/** A problem with a cluster, as the reason of an Event. */
type ClusterTrouble =
  | 'ApiServerBusy'
  | 'ClocksDiffer'
  | 'ClusterNotUsable'
  | 'OldDefinitions'
  | 'RedisMayEvict'

/** Writes Kubernetes Events about the cluster itself. */
export interface ClusterTroubles {
  /** Has an Event written for as long as there is one to write; the API server may be the trouble. */
  record(reason: ClusterTrouble, note: string): void
}

/**
 * Events about the cluster are written to the object that stands for the installation, the ConfigMap with its id, by services that may
 * write Events.
 */
export function clusterTroubles(
  objects: readonly StoredObjects[],
  recorder: Pick<EventRecorder, 'record'>,
): ClusterTroubles {
  const mayWrite = objects.some(({ kind }) => kind === 'Event')
  const regarding = { kind: 'ConfigMap', namespace: controlPlaneNamespace, name: installationConfigMap }
  return {
    record: (reason, note) => {
      if (mayWrite) recorder.record({ regarding, action: 'Follow', type: 'Warning', reason, note })
    },
  }
}

/** Why the API server is asked again, with what to do when it is too busy to answer (429, 503). */
export function askedAgain(error: unknown): string {
  const reason = errorMessage(error)
  return error instanceof BusyError
    ? `the Kubernetes API is too busy: ${reason}; it is asked again when it says, so nothing is lost; if this lasts, look at the load of the API server`
    : reason
}
