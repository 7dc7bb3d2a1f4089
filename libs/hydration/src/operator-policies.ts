/** The ConfigMap with the files of the gate `operator-policies`, in the namespace of Argo CD. */
export const operatorPoliciesConfigMap = 'wadi-policies-cm'
