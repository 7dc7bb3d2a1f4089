/** Kinds of Kubernetes by group, those that live in namespaces and those that do not. */
const kinds: ReadonlyArray<readonly [group: string, namespaced: string, cluster: string]> = [
  [
    '',
    'Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
    'ComponentStatus Namespace Node PersistentVolume',
  ],
  [
    'admissionregistration.k8s.io',
    '',
    'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  ],
  ['apiextensions.k8s.io', '', 'CustomResourceDefinition'],
  ['apiregistration.k8s.io', '', 'APIService'],
  ['apps', 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet', ''],
  ['authorization.k8s.io', 'LocalSubjectAccessReview', ''],
  ['autoscaling', 'HorizontalPodAutoscaler', ''],
  ['batch', 'CronJob Job', ''],
  ['certificates.k8s.io', 'PodCertificateRequest', 'CertificateSigningRequest ClusterTrustBundle'],
  ['coordination.k8s.io', 'Lease LeaseCandidate', ''],
  ['discovery.k8s.io', 'EndpointSlice', ''],
  ['events.k8s.io', 'Event', ''],
  ['extensions', 'DaemonSet Deployment Ingress NetworkPolicy ReplicaSet', 'PodSecurityPolicy'],
  ['flowcontrol.apiserver.k8s.io', '', 'FlowSchema PriorityLevelConfiguration'],
  ['networking.k8s.io', 'Ingress NetworkPolicy', 'IPAddress IngressClass ServiceCIDR'],
  ['node.k8s.io', '', 'RuntimeClass'],
  ['policy', 'PodDisruptionBudget', 'PodSecurityPolicy'],
  ['rbac.authorization.k8s.io', 'Role RoleBinding', 'ClusterRole ClusterRoleBinding'],
  ['resource.k8s.io', 'ResourceClaim ResourceClaimTemplate', 'DeviceClass DeviceTaintRule ResourceSlice'],
  ['scheduling.k8s.io', '', 'PriorityClass'],
  [
    'storage.k8s.io',
    'CSIStorageCapacity',
    'CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass',
  ],
]

const scopes = new Map(
  kinds.flatMap(([group, namespaced, cluster]) => [
    ...entries(group, namespaced, 'Namespaced'),
    ...entries(group, cluster, 'Cluster'),
  ]),
)

function entries(group: string, names: string, scope: 'Namespaced' | 'Cluster') {
  return names.split(' ').map((name) => [`${group}/${name}`, scope] as const)
}

/** Returns the scope of a kind of Kubernetes; undefined for one that Kubernetes itself does not have. */
export function kindScope(group: string, kind: string): 'Namespaced' | 'Cluster' | undefined {
  return scopes.get(`${group}/${kind}`)
}
