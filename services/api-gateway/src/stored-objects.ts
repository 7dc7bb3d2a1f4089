import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { installationConfigMap } from '@wadi/hydration/installation-id.ts'
import { gpgKeysConfigMap, sshSignersConfigMap } from '@wadi/hydration/source-verification.ts'
import { policyConfigMap } from '@wadi/rbac/decide/live-policy.ts'
import { trustConfigMaps } from '@wadi/repositories/server-trust.ts'
import { clusterSecretSelector } from '@wadi/resources/cluster-secret.ts'
import type { StoredObjects } from '@wadi/state/stored-objects.ts'
import { accountsConfigMap, followedSecrets } from './accounts/sign-in-objects.ts'

const changes = ['create', 'update', 'patch', 'delete'] as const

/** The objects that the gateway reads and writes in a cluster, for its users and for sign-in. */
export const gatewayObjects: readonly StoredObjects[] = [
  { kind: 'Application', within: 'applications', writes: changes },
  { kind: 'AppProject', within: 'control plane', writes: changes },
  { kind: 'HydratedBranch', within: 'control plane' },
  {
    kind: 'ConfigMap',
    within: 'control plane',
    names: [
      accountsConfigMap,
      policyConfigMap,
      gpgKeysConfigMap,
      sshSignersConfigMap,
      operatorPoliciesConfigMap,
      installationConfigMap,
      ...trustConfigMaps,
    ],
    writes: ['create', 'update'],
  },
  {
    kind: 'Secret',
    within: 'control plane',
    names: followedSecrets,
    isReadByName: false,
    writes: ['create', 'update', 'delete'],
  },
  {
    kind: 'Secret',
    within: 'credentials',
    labelSelector: clusterSecretSelector,
    writes: ['create', 'update', 'delete'],
  },
]
