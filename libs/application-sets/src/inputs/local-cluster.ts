/** The cluster that Argo CD runs in, which is there without a Secret. */
export const localCluster = { name: 'in-cluster', server: 'https://kubernetes.default.svc', project: '' }
