import { by } from '@wadi/order/by-name.ts'
import { NotFoundError } from '@wadi/errors/domain-error.ts'
import {
  type Cluster,
  comparableServer,
  inCluster,
  listClusterSecrets,
  readClusterSecret,
} from '@wadi/resources/cluster-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Call } from '../authorization/authorization.ts'
import { clusterObject } from '../authorization/policy-object.ts'
import type { GatewayContext } from '../context.ts'

/** A cluster and the Secret that describes it; `in-cluster` may have none. */
export interface KnownCluster {
  cluster: Cluster
  secret: Resource | undefined
}

/** Returns the clusters that the caller may see, by name. */
export async function visibleClusters(
  { store, authorization }: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
): Promise<KnownCluster[]> {
  const known: KnownCluster[] = (await listClusterSecrets(store)).map((secret) => ({
    cluster: readClusterSecret(secret),
    secret,
  }))
  if (!known.some(({ cluster }) => cluster.server === inCluster.server)) {
    known.push({ cluster: inCluster, secret: undefined })
  }
  return known
    .filter(({ cluster }) => {
      const { resource, object } = clusterObject(cluster)
      return authorization.allows(call, resource, 'get', object)
    })
    .toSorted(by(({ cluster }) => cluster.name))
}

/**
 * Finds a cluster by its address or its name. One that the caller may not see is reported as one that does not exist.
 * @throws NotFoundError
 */
export async function findCluster(
  context: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  serverOrName: string,
): Promise<KnownCluster> {
  const visible = await visibleClusters(context, call)
  const server = comparableServer(serverOrName)
  const found =
    visible.find(({ cluster }) => cluster.server === server) ??
    visible.find(({ cluster }) => cluster.name === serverOrName)
  if (!found) throw new NotFoundError(`cluster ${JSON.stringify(serverOrName)} not found`)
  return found
}
