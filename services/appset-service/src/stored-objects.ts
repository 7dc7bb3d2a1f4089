import { clusterSecretSelector } from '@wadi/resources/cluster-secret.ts'
import type { StoredObjects } from '@wadi/state/stored-objects.ts'

const changes = ['create', 'update', 'patch', 'delete'] as const

/** The objects that appset-service reads and writes in a cluster. */
export const appsetServiceObjects: readonly StoredObjects[] = [
  { kind: 'ApplicationSet', within: 'applications', writes: changes, statusWrites: ['update'] },
  { kind: 'Application', within: 'applications', writes: changes },
  { kind: 'Event', isFollowed: false, within: 'applications', writes: ['create', 'patch'] },
  { kind: 'AppProject', within: 'control plane' },
  { kind: 'ConfigMap', within: 'control plane' },
  { kind: 'Secret', within: 'credentials', labelSelector: clusterSecretSelector },
]
