import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'
import type { ApiResource } from '@wadi/kubernetes/client/api-resource.ts'
import { usedResource } from '@wadi/kubernetes/store/stored-kinds.ts'
import type { Permission } from './stored-objects.ts'

const reviews: ApiResource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
}

/**
 * Asks the API server which of some rights this account does not have; every account may ask that.
 * Returns a line for each resource, such as `list, watch secrets in namespace argocd`.
 */
export async function missingRights(
  client: KubernetesClient,
  rights: readonly Permission[],
  signal: AbortSignal,
): Promise<string[]> {
  const allowed = await Promise.all(rights.map((right) => isAllowed(client, right, signal)))
  const missing = rights.filter((_, index) => allowed[index] === false)
  const verbsOf = Map.groupBy(missing, describeObjects)
  return [...verbsOf].map(([what, of]) => `${of.map(({ verb }) => verb).join(', ')} ${what}`)
}

async function isAllowed(client: KubernetesClient, right: Permission, signal: AbortSignal): Promise<boolean> {
  const { verb, kind, subresource, namespace, name } = right
  const { group, plural } = usedResource(kind)
  const { status } = await client.create(
    reviews,
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      // A review is answered and not stored: it must have no name.
      metadata: { name: '' },
      spec: { resourceAttributes: { verb, group, resource: plural, subresource, namespace, name } },
    },
    signal,
  )
  return status?.['allowed'] === true
}

function describeObjects({ kind, subresource, namespace, name }: Permission): string {
  const { group, plural } = usedResource(kind)
  const resource = group === '' ? plural : `${plural}.${group}`
  const part = subresource === undefined ? resource : `${resource}/${subresource}`
  const scope = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`
  return `${part}${name === undefined ? '' : ` named ${name}`} ${scope}`
}
