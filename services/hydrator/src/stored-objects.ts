import { installationConfigMap } from '@wadi/hydration/installation-id.ts'
import { clusterSecretSelector } from '@wadi/resources/cluster-secret.ts'
import type { StoredObjects } from '@wadi/state/stored-objects.ts'
import { clusterPolicyKinds } from './gates/cluster/cluster-policy-kinds.ts'
import { decidingConfigMaps } from './watch/follow-operator-objects.ts'

/** The objects of a cluster that the hydrator reads to know its policies, where that is on. */
export const clusterPolicyObjects: readonly StoredObjects[] = clusterPolicyKinds.map((kind) => ({
  kind,
  within: 'cluster',
}))

/** The objects that the hydrator reads and writes in a cluster. */
export const hydratorObjects: readonly StoredObjects[] = [
  { kind: 'Application', within: 'applications', writes: ['patch'] },
  { kind: 'Event', isFollowed: false, within: 'applications', writes: ['create', 'patch'] },
  { kind: 'Lease', isFollowed: false, within: 'control plane', writes: ['create', 'update'] },
  { kind: 'AppProject', within: 'control plane' },
  {
    kind: 'HydratedBranch',
    within: 'control plane',
    writes: ['create', 'delete'],
    statusWrites: ['update'],
  },
  { kind: 'ConfigMap', within: 'control plane', names: [...decidingConfigMaps, installationConfigMap] },
  { kind: 'Secret', within: 'credentials', labelSelector: clusterSecretSelector },
]
