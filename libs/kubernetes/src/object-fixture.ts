import { randomUUID } from 'node:crypto'
import type { Resource, ResourceMetadata } from '@wadi/resources/resource.ts'
import type { ApiResource } from './client/api-resource.ts'

export const applications: ApiResource = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
}

export const hydratedBranches: ApiResource = {
  group: 'wadi.dev',
  version: 'v1alpha1',
  kind: 'HydratedBranch',
  plural: 'hydratedbranches',
}

export const secrets: ApiResource = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' }

/** An Application that a test stores. */
export function application(
  namespace: string,
  name: string,
  metadata: Partial<ResourceMetadata> = {},
  spec: Record<string, unknown> = { project: 'default' },
): Resource {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { ...metadata, namespace, name },
    spec,
  }
}

/** A HydratedBranch that a test stores. */
export function hydratedBranch(namespace: string, name: string): Resource {
  return {
    apiVersion: 'wadi.dev/v1alpha1',
    kind: 'HydratedBranch',
    metadata: { namespace, name },
    spec: { repoURL: 'https://git.example.com/a.git', branch: `environments/${name}` },
  }
}

/** An object as the API would answer with it, for tests without one. */
export function stored(name: string, resourceVersion: number, uid: string = randomUUID()): Resource {
  const { metadata, ...object } = application('argocd', name)
  return { ...object, metadata: { ...metadata, uid, resourceVersion: String(resourceVersion) } }
}
