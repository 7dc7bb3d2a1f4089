import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import { findClusterConfig } from '@wadi/kubernetes/config/find-cluster-config.ts'
import { storedKind } from '@wadi/kubernetes/store/stored-kinds.ts'
import { manifestFromJson } from '@wadi/manifests/manifest-json.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { FoundObjects } from './found-objects.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const keptMetadata = ['name', 'namespace', 'labels', 'annotations', 'finalizers', 'ownerReferences']

/**
 * Reads the ApplicationSets of a cluster and the Applications that none of them makes, as somebody would write them into files.
 * @param kubeconfig the file; its account must be allowed to list both kinds
 * @throws InvalidInputError for a kubeconfig that cannot be used, UnavailableError, PermissionDeniedError
 */
export async function clusterObjects(kubeconfig: string, signal: AbortSignal): Promise<FoundObjects> {
  await using client = new KubernetesClient(await findClusterConfig(kubeconfig))
  const sets = await readPlain(client, 'ApplicationSet', signal)
  const names = new Set(sets.map((set) => ownerKey(set, textAt(set, 'metadata', 'name'))))
  const own = (await readPlain(client, 'Application', signal)).filter(
    (application) => !isMadeBy(application, names),
  )
  const objects = [...own, ...sets].map((manifest) => ({ manifest }))
  return { objects, known: objects, unreadable: [], warnings: [] }
}

/**
 * Reads all Applications of a cluster, as somebody would write them into files.
 * @throws what `clusterObjects` throws
 */
export async function clusterApplicationObjects(
  kubeconfig: string,
  signal: AbortSignal,
): Promise<Manifest[]> {
  await using client = new KubernetesClient(await findClusterConfig(kubeconfig))
  return await readPlain(client, 'Application', signal)
}

async function readPlain(
  client: KubernetesClient,
  kind: 'Application' | 'ApplicationSet',
  signal: AbortSignal,
): Promise<Manifest[]> {
  const { items } = await client.list(storedKind(kind).resource, {}, signal)
  return items.map((item) => plainObject(manifestFromJson(JSON.stringify(item))))
}

function isMadeBy(application: Manifest, sets: ReadonlySet<string>): boolean {
  return listAt(application, 'metadata', 'ownerReferences').some(
    (owner) =>
      textAt(owner, 'kind') === 'ApplicationSet' && sets.has(ownerKey(application, textAt(owner, 'name'))),
  )
}

/** An owner is in the namespace of what it owns. */
function ownerKey(object: Manifest, name: string): string {
  return `${textAt(object, 'metadata', 'namespace')}/${name}`
}

/** Returns an object without what the cluster adds to it. */
function plainObject({ apiVersion, kind, metadata, spec }: Manifest): Manifest {
  const entries = Object.entries(objectAt({ metadata }, 'metadata') as Manifest)
  const kept = entries.flatMap(([name, value]): [string, Manifest[string]][] => {
    if (!keptMetadata.includes(name)) return []
    if (name !== 'annotations') return [[name, value]]
    const { [lastApplied]: _, ...annotations } = value as Manifest
    return Object.keys(annotations).length === 0 ? [] : [[name, annotations]]
  })
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: Object.fromEntries(kept),
    ...(spec !== undefined && { spec }),
  }
}
