import { AlreadyExistsError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { inCluster, listClusterSecrets, readClusterSecret } from '@wadi/resources/cluster-secret.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { accountsSecret } from '../accounts/sign-in-objects.ts'
import { storeObject, type StoreOptions, type StoreOutcome } from '../applications/store-application.ts'
import type { Call } from '../authorization/authorization.ts'
import { clusterObject, policyObjectOf } from '../authorization/policy-object.ts'
import { requireStoreRight } from '../authorization/store-right.ts'
import type { GatewayContext } from '../context.ts'

/**
 * Stores the Secret of a cluster when the caller may. Its address and its name belong to it alone: Applications are
 * allowed by what a name stands for.
 * @throws InvalidInputError, PermissionDeniedError also for what another cluster has that the caller may not see,
 * AlreadyExistsError for what a visible one has
 */
export async function writeCluster(
  context: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  secret: Resource,
  options: Omit<StoreOptions, 'permit'>,
): Promise<StoreOutcome> {
  checkClusterSecret(secret)
  const wanted = policyObjectOf(secret)
  const { namespace = credentialsNamespace, name } = secret.metadata
  const permit = (stored: Resource | undefined): void =>
    requireStoreRight(context, call, wanted, stored && policyObjectOf(stored), options.replace)
  permit(await context.store.get('Secret', namespace, name))
  await refuseRivals(context, call, secret)
  return storeObject(context, secret, { ...options, permit })
}

/** @throws InvalidInputError that names the field; values are not repeated, for they may be credentials. */
function checkClusterSecret(secret: Resource): void {
  const { name, namespace } = secret.metadata
  if (namespace !== credentialsNamespace) {
    throw new InvalidInputError(
      `Secret ${name}: metadata.namespace must be ${credentialsNamespace}, where Wadi reads clusters`,
    )
  }
  // Its values are the passwords of the accounts, which rights to clusters are not about.
  if (name === accountsSecret) throw new InvalidInputError(`Secret ${name} cannot be a cluster's`)
  const { server } = readClusterSecret(secret)
  const url = URL.parse(server)
  if (!url || !/^https?:\/\/[^/]/iu.test(server) || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidInputError('server of the cluster must be an http or https URL')
  }
  if (url.username !== '' || url.password !== '' || server.includes('@')) {
    throw new InvalidInputError('server of the cluster may have no user name or password in it')
  }
  if (url.search !== '' || url.hash !== '' || /[\s\p{Cc}?#]/u.test(server)) {
    throw new InvalidInputError('server of the cluster may have no query, fragment or blank in it')
  }
}

async function refuseRivals(
  { store, authorization }: Pick<GatewayContext, 'store' | 'authorization'>,
  call: Call,
  secret: Resource,
): Promise<void> {
  const wanted = readClusterSecret(secret)
  const stored = (await listClusterSecrets(store))
    .filter(({ metadata }) => metadata.name !== secret.metadata.name)
    .map(readClusterSecret)
  const all = stored.some(({ server }) => server === inCluster.server) ? stored : [...stored, inCluster]
  // The implicit cluster gives way to a Secret with its address.
  const rival = all.find(
    (cluster) =>
      (cluster.server === wanted.server && cluster !== inCluster) ||
      (cluster.name === wanted.name && cluster.server !== wanted.server),
  )
  if (!rival) return
  const seen = clusterObject(rival)
  if (!authorization.allows(call, seen.resource, 'get', seen.object)) {
    const { resource, object } = clusterObject(wanted)
    authorization.refuse(call, resource, 'create', object)
  }
  throw new AlreadyExistsError(
    `cluster ${rival.server} with the name ${JSON.stringify(rival.name)} is stored already; ` +
      'the address and the name of a cluster must be unique',
  )
}
