import type { Resource } from '../../resource.ts'
import type { ResourceStore } from '../resource-store.ts'

/** One promise of the contract, tried on an empty store. */
export type ContractCase = (store: ResourceStore) => Promise<void>

/** An Application in `argocd` as any back end takes it. */
export function application(name: string, extra: Partial<Resource> = {}): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { namespace: 'argocd', name },
    spec: { project: 'default', destination: {} },
    ...extra,
  }
}

/** An AppProject in `argocd`. */
export function project(name: string): Resource {
  return { ...application(name), kind: 'AppProject', spec: { description: 'of a team' } }
}

/** A ConfigMap in `argocd` with one value. */
export function configMap(name: string, value = ''): Resource {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'argocd', name }, data: { value } }
}
