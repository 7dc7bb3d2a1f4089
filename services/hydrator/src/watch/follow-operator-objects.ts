import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { gpgKeysConfigMap, sshSignersConfigMap } from '@wadi/hydration/source-verification.ts'
import type { FollowedPolicies } from '../gates/cluster/cluster-policies.ts'
import { clusterPolicyKinds, isClusterPolicyKind } from '../gates/cluster/cluster-policy-kinds.ts'
import { isClusterSecret } from '@wadi/resources/cluster-secret.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { watchKinds } from '@wadi/resources/store/watch-kinds.ts'
import { argoCdParameters, readOperatorSettings, settingsDigest } from '../operator-settings.ts'

/** The ConfigMaps that decide about runs: settings, policies, and the keys by which dry commits may be signed. */
export const decidingConfigMaps: readonly string[] = [
  'argocd-cm',
  argoCdParameters.configMap,
  gpgKeysConfigMap,
  sshSignersConfigMap,
  operatorPoliciesConfigMap,
]

/** The reactions to changes. */
interface OperatorReactions {
  /** Called after every change of AppProjects, clusters, `argocd-cm`, policies and the keys by which dry commits may be signed. */
  readonly lookAgain: () => void
  /** Called when rules judge by other policies or definitions of the cluster than before. */
  readonly requestPoll: () => void
}

/** Follows what an operator decides for runs. */
export async function followOperatorObjects(
  { store, clusterPolicies }: { store: ResourceStore; clusterPolicies: FollowedPolicies | undefined },
  { lookAgain, requestPoll }: OperatorReactions,
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
  const judgedBy = async () => settingsDigest(await readOperatorSettings(store, false, clusterPolicies), '')
  let known = clusterPolicies && (await judgedBy())
  const lookAtPolicies = async () => {
    clusterPolicies?.changed()
    const now = await judgedBy()
    if (now !== known) requestPoll()
    known = now
  }
  const followParameters = async () => {
    for await (const _ of clusterPolicies?.parameterChanges(signal) ?? []) await lookAtPolicies()
  }
  const followObjects = async () => {
    for await (const { resource } of watchKinds(store, kinds, signal)) {
      if (decides(resource)) lookAgain()
      if (clusterPolicies && isClusterPolicyKind(resource.kind)) await lookAtPolicies()
    }
  }
  await Promise.all([followObjects(), followParameters()])
}

function decides(resource: Resource): boolean {
  const { kind, metadata } = resource
  if (kind === 'ConfigMap')
    return metadata.namespace === controlPlaneNamespace && decidingConfigMaps.includes(metadata.name)
  return kind === 'AppProject' || isClusterSecret(resource)
}
