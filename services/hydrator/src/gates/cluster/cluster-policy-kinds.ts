/** The kinds that decide what the policies of a cluster deny. */
export const clusterPolicyKinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'CustomResourceDefinition',
  'Namespace',
] as const

/** One of them. */
export type ClusterPolicyKind = (typeof clusterPolicyKinds)[number]

/** True for one of these kinds. */
export function isClusterPolicyKind(kind: string): boolean {
  return clusterPolicyKinds.some((one) => one === kind)
}
