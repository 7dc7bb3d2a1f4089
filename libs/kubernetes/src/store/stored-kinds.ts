import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ApiResource } from '../client/api-resource.ts'

/** A kind of object that a cluster keeps for Wadi. */
export interface StoredKind {
  readonly resource: ApiResource
  /**
   * How its status is written: by the subresource, as a field of the object where the definition has no subresource (as Argo CD's
   * of Application and AppProject), or not at all.
   */
  readonly status: 'subresource' | 'field' | 'none'
}

const kinds: readonly StoredKind[] = [
  { resource: argocd('Application', 'applications'), status: 'field' },
  { resource: argocd('ApplicationSet', 'applicationsets'), status: 'subresource' },
  { resource: argocd('AppProject', 'appprojects'), status: 'field' },
  {
    resource: { group: 'wadi.dev', version: 'v1alpha1', kind: 'HydratedBranch', plural: 'hydratedbranches' },
    status: 'subresource',
  },
  { resource: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' }, status: 'none' },
  { resource: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' }, status: 'none' },
]

function argocd(kind: string, plural: string): ApiResource {
  return { group: 'argoproj.io', version: 'v1alpha1', kind, plural }
}

/** @throws InvalidInputError for a kind that a cluster does not keep for Wadi, such as ConfigManagementPlugin */
export function storedKind(kind: string): StoredKind {
  const found = kinds.find(({ resource }) => resource.kind === kind)
  if (found !== undefined) return found
  const names = kinds.map(({ resource }) => resource.kind).join(', ')
  throw new InvalidInputError(
    `kind ${JSON.stringify(kind)} is not stored in the Kubernetes API; expected one of ${names}`,
  )
}
