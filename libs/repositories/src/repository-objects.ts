import type { StoredObjects } from '@wadi/state/stored-objects.ts'
import { secretTypeLabel } from './repository-secret.ts'
import { trustConfigMaps } from './server-trust.ts'

/**
 * Returns the objects that a service with repositories reads in a cluster: the Secrets of its purpose and which servers are trusted. It may be given the right to create, update and
 * delete Secrets there, so that users add repositories through the API.
 */
export function repositoryObjects(purpose: 'read' | 'write', namespace: string): readonly StoredObjects[] {
  const types = purpose === 'read' ? 'repository, repo-creds' : 'repository-write, repo-write-creds'
  return [
    { kind: 'Secret', within: { namespace }, labelSelector: `${secretTypeLabel} in (${types})` },
    { kind: 'ConfigMap', within: 'control plane', names: trustConfigMaps },
  ]
}
