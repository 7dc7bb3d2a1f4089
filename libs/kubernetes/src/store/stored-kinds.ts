import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ApiResource } from '../client/api-resource.ts'
import { eventResource } from '../events/event-recorder.ts'
import { leaseResource } from '../lease/lease.ts'

/** A kind of object that a cluster keeps for Wadi. */
export interface StoredKind {
  readonly resource: ApiResource
  /**
   * The way to write its status: by the subresource, as a field of the object if the definition has no subresource (as
   * Argo CD's of Application and AppProject), or not at all.
   */
  readonly status: 'subresource' | 'field' | 'none'
  /** True if objects that are not followed are read and written too; of other kinds, only followed objects exist. */
  readonly isReadAnywhere: boolean
  /**
   * The use of an installation's label, if the store has one: objects are selected by it, since several installations
   * may share their namespace; or it only marks objects that are made in a namespace of the installation alone.
   */
  readonly installation?: 'selects' | 'marks'
}

const kinds: readonly StoredKind[] = [
  {
    resource: argocd('Application', 'applications'),
    status: 'field',
    isReadAnywhere: false,
    installation: 'selects',
  },
  {
    resource: argocd('ApplicationSet', 'applicationsets'),
    status: 'subresource',
    isReadAnywhere: false,
    installation: 'selects',
  },
  { resource: argocd('AppProject', 'appprojects'), status: 'field', isReadAnywhere: false },
  {
    resource: { group: 'wadi.dev', version: 'v1alpha1', kind: 'HydratedBranch', plural: 'hydratedbranches' },
    status: 'subresource',
    isReadAnywhere: false,
    installation: 'marks',
  },
  {
    resource: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
    status: 'none',
    isReadAnywhere: true,
  },
  {
    resource: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' },
    status: 'none',
    isReadAnywhere: true,
  },
  ofCluster('', 'Namespace', 'namespaces'),
  ofCluster('apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions'),
  ofCluster('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies'),
  ofCluster(
    'admissionregistration.k8s.io',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
  ),
]

/** A kind without namespaces that is only read. */
function ofCluster(group: string, kind: string, plural: string): StoredKind {
  return { resource: { group, version: 'v1', kind, plural }, status: 'none', isReadAnywhere: false }
}

function argocd(kind: string, plural: string): ApiResource {
  return { group: 'argoproj.io', version: 'v1alpha1', kind, plural }
}

/** The resources that services write without the store. */
const otherResources: readonly ApiResource[] = [eventResource, leaseResource]

/** Returns the resource of a kind that Wadi uses, stored or not. @throws InvalidInputError for another kind */
export function usedResource(kind: string): ApiResource {
  return otherResources.find((resource) => resource.kind === kind) ?? storedKind(kind).resource
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
