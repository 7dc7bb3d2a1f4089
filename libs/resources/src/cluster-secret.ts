import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { credentialsNamespace } from './control-plane-namespace.ts'
import type { Resource } from './resource.ts'
import type { ResourceStore } from './store/resource-store.ts'

/** A cluster that Applications may name, as its Secret describes it; credentials are left where they are. */
export interface Cluster {
  /** The address of its API, without a slash at the end. */
  server: string
  /** A name for people; the address when the Secret gives none. */
  name: string
  /** The AppProject that it belongs to; empty for none. */
  project: string
  /** The namespaces that may be deployed to; empty for all. */
  namespaces: readonly string[]
}

/** The label that says what a Secret is for, as in Argo CD; `cluster` for these. */
const secretTypeLabel = 'argocd.argoproj.io/secret-type'

/** Selects the Secrets that describe clusters. */
export const clusterSecretSelector = `${secretTypeLabel}=cluster`

/** The cluster that Argo CD itself runs in: there, and without a project, while no Secret has its address. */
export const inCluster: Cluster = {
  server: 'https://kubernetes.default.svc',
  name: 'in-cluster',
  project: '',
  namespaces: [],
}

/** Returns whether an object is a Secret that describes a cluster. */
export function isClusterSecret({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): boolean {
  return kind === 'Secret' && metadata.labels?.[secretTypeLabel] === 'cluster'
}

/** Reads the Secret of a cluster, from `data` and `stringData`; nothing is checked. */
export function readClusterSecret({ data, stringData }: Pick<Resource, 'data' | 'stringData'>): Cluster {
  const encoded = new Map(Object.entries(data ?? {}))
  const texts = new Map(Object.entries(stringData ?? {}))
  const text = (field: string): string =>
    texts.get(field) ?? Buffer.from(encoded.get(field) ?? '', 'base64').toString('utf8')
  const server = comparableServer(text('server'))
  const namespaces = text('namespaces').split(',')
  return {
    server,
    name: text('name') || server,
    project: text('project'),
    namespaces: namespaces.map((namespace) => namespace.trim()).filter((namespace) => namespace !== ''),
  }
}

/** Returns the address of a cluster as addresses are compared. */
export function comparableServer(server: string): string {
  return server.trim().replace(/(?<!\/)\/+$/u, '')
}

/** Lists the Secrets of the clusters. */
export async function listClusterSecrets(store: Pick<ResourceStore, 'list'>): Promise<Resource[]> {
  const { items } = await store.list('Secret', {
    namespace: credentialsNamespace,
    labelSelector: clusterSecretSelector,
  })
  return items
}

/** Reads the clusters that are stored, and `in-cluster` when none has its address. */
export async function readClusters(store: Pick<ResourceStore, 'list'>): Promise<Cluster[]> {
  const stored = (await listClusterSecrets(store)).map(readClusterSecret)
  return stored.some(({ server }) => server === inCluster.server) ? stored : [inCluster, ...stored]
}

/**
 * Returns the cluster that a destination names by its address or by its name; undefined when none is known.
 * @throws InvalidInputError for a name that several clusters have
 */
export function clusterOfDestination(
  clusters: readonly Cluster[],
  destination: { server?: string; name?: string },
): Cluster | undefined {
  const { server, name } = destination
  if (server) return clusters.find((cluster) => cluster.server === comparableServer(server))
  if (!name) return undefined
  const [found, ...others] = clusters.filter((cluster) => cluster.name === name)
  if (others.length > 0) {
    throw new InvalidInputError(
      `there are ${others.length + 1} clusters with the name ${JSON.stringify(name)}; name the destination's server instead`,
    )
  }
  return found
}
