import type { Manifest } from '@wadi/manifests/manifest.ts'

/** An API version that Kubernetes no longer serves for some kinds. */
export interface RemovedApi {
  /** The minor version of Kubernetes 1 that no longer has it. */
  readonly removedIn: number
  readonly apiVersion: string
  readonly kinds: readonly string[]
  /** The API version to write instead; undefined if there is none. */
  readonly use: string | undefined
}

// The dates of removal in k8s.io/api v0.37.0 (APILifecycleRemoved), without kinds that no manifest has, and what that module
// no longer has from the Deprecated API Migration Guide of kubernetes.io.
const table = `
16 apps/v1beta1 Deployment,StatefulSet apps/v1
16 apps/v1beta2 DaemonSet,Deployment,ReplicaSet,StatefulSet apps/v1
16 extensions/v1beta1 PodSecurityPolicy -
16 extensions/v1beta1 DaemonSet,Deployment,ReplicaSet apps/v1
16 extensions/v1beta1 NetworkPolicy networking.k8s.io/v1
22 admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration,ValidatingWebhookConfiguration admissionregistration.k8s.io/v1
22 apiextensions.k8s.io/v1beta1 CustomResourceDefinition apiextensions.k8s.io/v1
22 apiregistration.k8s.io/v1beta1 APIService apiregistration.k8s.io/v1
22 certificates.k8s.io/v1beta1 CertificateSigningRequest certificates.k8s.io/v1
22 coordination.k8s.io/v1beta1 Lease coordination.k8s.io/v1
22 extensions/v1beta1 Ingress networking.k8s.io/v1
22 networking.k8s.io/v1beta1 Ingress,IngressClass networking.k8s.io/v1
22 rbac.authorization.k8s.io/v1beta1 ClusterRole,ClusterRoleBinding,Role,RoleBinding rbac.authorization.k8s.io/v1
22 scheduling.k8s.io/v1beta1 PriorityClass scheduling.k8s.io/v1
22 storage.k8s.io/v1beta1 CSIDriver,CSINode,StorageClass,VolumeAttachment storage.k8s.io/v1
24 storage.k8s.io/v1alpha1 CSIStorageCapacity,VolumeAttachment storage.k8s.io/v1
25 autoscaling/v2beta1 HorizontalPodAutoscaler autoscaling/v2
25 batch/v1beta1 CronJob batch/v1
25 discovery.k8s.io/v1beta1 EndpointSlice discovery.k8s.io/v1
25 events.k8s.io/v1beta1 Event events.k8s.io/v1
25 node.k8s.io/v1beta1 RuntimeClass node.k8s.io/v1
25 policy/v1beta1 PodSecurityPolicy -
25 policy/v1beta1 PodDisruptionBudget policy/v1
26 autoscaling/v2beta2 HorizontalPodAutoscaler autoscaling/v2
26 flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1
27 storage.k8s.io/v1beta1 CSIStorageCapacity storage.k8s.io/v1
29 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1
32 admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy,ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/v1
32 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema,PriorityLevelConfiguration flowcontrol.apiserver.k8s.io/v1
34 admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy,ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/v1
35 storage.k8s.io/v1alpha1 VolumeAttributesClass storage.k8s.io/v1
37 certificates.k8s.io/v1alpha1 ClusterTrustBundle certificates.k8s.io/v1
37 networking.k8s.io/v1beta1 IPAddress,ServiceCIDR networking.k8s.io/v1
37 storage.k8s.io/v1beta1 VolumeAttributesClass storage.k8s.io/v1
`

/**
 * All API versions that were removed up to Kubernetes 1.37.
 * @internal
 */
export const removedApis: readonly RemovedApi[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [removedIn = '', apiVersion = '', kinds = '', use] = line.split(' ')
    return {
      removedIn: Number(removedIn),
      apiVersion,
      kinds: kinds.split(','),
      use: use === '-' ? undefined : use,
    }
  })

/** Returns the removal of an object's API version that a minor version of Kubernetes 1 has; undefined if there is none. */
export function findRemovedApi({ apiVersion, kind }: Manifest, minorVersion: number): RemovedApi | undefined {
  return removedApis.find(
    (removed) =>
      removed.removedIn <= minorVersion &&
      removed.apiVersion === apiVersion &&
      removed.kinds.some((one) => one === kind),
  )
}
