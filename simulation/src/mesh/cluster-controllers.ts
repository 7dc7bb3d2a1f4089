import type { Resource } from '@wadi/resources/resource.ts'
import type { ClusterServer } from '../models/cluster/cluster-server.ts'
import type { StoreWay } from './store-way.ts'

/** The time that each controller takes for an object, in milliseconds. */
const controlMs = 700

/**
 * Has the controllers of others work that a cluster has: Argo CD lets a deleted Application go once it has removed what that deployed, and the
 * garbage collector of Kubernetes deletes Applications whose set is gone.
 */
export function runControllers(cluster: ClusterServer, { scheduler, actor }: StoreWay): void {
  cluster.onChange('Application', ({ type, resource }) => {
    const { name, deletionTimestamp, finalizers = [] } = resource.metadata
    const isHeld = deletionTimestamp !== undefined && finalizers.length > 0
    if (isHeld) {
      scheduler.after(controlMs, actor, `Argo CD lets ${name} go`, () => letGo(cluster, resource))
    } else if (type === 'added' && resource.metadata.ownerReferences !== undefined) {
      scheduler.after(controlMs, actor, `the owner of ${name} is looked up`, () => collect(cluster, resource))
    }
  })
  cluster.onChange('ApplicationSet', ({ type }) => {
    if (type !== 'deleted') return
    scheduler.after(controlMs, actor, 'what nobody owns is collected', () => {
      for (const application of cluster.list('Application')) collect(cluster, application)
    })
  })
}

function letGo(cluster: ClusterServer, application: Resource): void {
  const { finalizers = [] } = now(cluster, application)?.metadata ?? {}
  if (finalizers.length > 0) cluster.patch(application, { metadata: { finalizers: null } })
}

/** Deletes an Application whose owners are all gone. */
function collect(cluster: ClusterServer, application: Resource): void {
  const { ownerReferences = [], deletionTimestamp } = now(cluster, application)?.metadata ?? {}
  if (ownerReferences.length === 0 || deletionTimestamp !== undefined) return
  const sets = new Set(cluster.list('ApplicationSet').map(({ metadata }) => metadata.uid))
  if (ownerReferences.every(({ uid }) => !sets.has(uid))) cluster.delete(application)
}

/** Returns an object as it is now; undefined if it is gone, or another one has its name. */
function now(cluster: ClusterServer, { kind, metadata }: Resource): Resource | undefined {
  const { namespace = '', name, uid } = metadata
  const found = cluster.get(kind, namespace, name)
  return found?.metadata.uid === uid ? found : undefined
}
