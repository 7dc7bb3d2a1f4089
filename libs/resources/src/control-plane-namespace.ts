/** The namespace of Wadi's own objects and of Applications that name none, as in Argo CD. */
export const controlPlaneNamespace = 'argocd'
