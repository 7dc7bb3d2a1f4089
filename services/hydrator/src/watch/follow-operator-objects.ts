import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { gpgKeysConfigMap, sshSignersConfigMap } from '@wadi/hydration/source-verification.ts'
import type { FollowedPolicies } from '../gates/cluster-policies.ts'
import { clusterPolicyKinds, isClusterPolicyKind } from '../gates/cluster-policy-kinds.ts'
import { isClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { watchKinds } from '@wadi/resources/store/watch-kinds.ts'
import { argoCdParameters } from '../operator-settings.ts'

/** The ConfigMaps that decide about runs: settings, policies, and the keys by which dry commits may be signed. */
export const decidingConfigMaps: readonly string[] = [
  'argocd-cm',
  argoCdParameters.configMap,
  gpgKeysConfigMap,
  sshSignersConfigMap,
  operatorPoliciesConfigMap,
]

/**
 * Calls `changed` after every change of what an operator decides for runs: AppProjects, clusters, `argocd-cm`, the keys
 * by which dry commits may be signed, and the policies of the cluster.
 */
export async function followOperatorObjects(
  { store, clusterPolicies }: { store: ResourceStore; clusterPolicies: FollowedPolicies | undefined },
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const kinds = await Promise.all(
    ['AppProject', 'ConfigMap', 'Secret', ...(clusterPolicies ? clusterPolicyKinds : [])].map(
      async (kind) => {
        const { resourceVersion } = await store.list(kind)
        return { kind, fromResourceVersion: resourceVersion }
      },
    ),
  )
  for await (const { resource } of watchKinds(store, kinds, signal)) {
    const isOfPolicies = isClusterPolicyKind(resource.kind)
    if (isOfPolicies) clusterPolicies?.changed()
    if (isOfPolicies || decides(resource)) changed()
  }
}

function decides(resource: Resource): boolean {
  const { kind, metadata } = resource
  if (kind === 'ConfigMap')
    return metadata.namespace === controlPlaneNamespace && decidingConfigMaps.includes(metadata.name)
  return kind === 'AppProject' || isClusterSecret(resource)
}
