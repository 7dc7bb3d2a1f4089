import { createHash } from 'node:crypto'
import { byName } from '@wadi/order/by-name.ts'
import { writtenForRequests } from '@wadi/resources/application/hydration-request.ts'
import { clusterSecretSelector } from '@wadi/resources/cluster-secret.ts'
import { credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** A cluster as its Secret describes it, without its credentials. */
export interface ClusterSecret {
  name: string
  server: string
  /** Empty for a cluster of no project. */
  project: string
  labels: Record<string, string>
  /** Without those that are withheld from templates. */
  annotations: Record<string, string>
}

/**
 * The annotations that Argo CD and kubectl write on Secrets of clusters for themselves, and those of requests. Templates get none of
 * them, as in Argo CD: the last applied configuration holds the Secret, and a request would be made again each time.
 */
const withheldAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  ...writtenForRequests,
  'argocd.argoproj.io/tracking-id',
  'argocd.argoproj.io/installation-id',
])

/** The clusters at one moment. */
export interface ClusterSecrets {
  /** By name. */
  clusters: ClusterSecret[]
  /** Equal for equal clusters. */
  version: string
}

/** Reads the Secrets of clusters in the namespace of credentials; of two with one name the later one applies. */
export async function readClusterSecrets(store: Pick<ResourceStore, 'list'>): Promise<ClusterSecrets> {
  const { items } = await store.list('Secret', {
    namespace: credentialsNamespace,
    labelSelector: clusterSecretSelector,
  })
  const distinct = new Map(items.map(clusterOf).map((cluster) => [cluster.name, cluster]))
  const clusters = [...distinct.values()].toSorted(byName)
  const version = createHash('sha256').update(JSON.stringify(clusters)).digest('base64url')
  return { clusters, version }
}

function clusterOf({ data = {}, metadata }: Resource): ClusterSecret {
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString()
  const { labels = {}, annotations = {} } = metadata
  return {
    name: text('name'),
    server: text('server'),
    project: text('project'),
    labels,
    annotations: Object.fromEntries(
      Object.entries(annotations).filter(([key]) => !withheldAnnotations.has(key)),
    ),
  }
}
