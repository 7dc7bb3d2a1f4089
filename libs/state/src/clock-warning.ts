import type { KubernetesClient } from '@wadi/kubernetes/client/kubernetes-client.ts'

/** The API server says whole seconds, and tokens are accepted when clocks differ by this much. */
const maxSkewMs = 60_000

/** Says that the clock of this machine is not that of the API server; undefined when they agree. */
export function clockWarning({ clockAheadMs }: Pick<KubernetesClient, 'clockAheadMs'>): string | undefined {
  if (Math.abs(clockAheadMs) <= maxSkewMs) return undefined
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000)
  const relation = clockAheadMs > 0 ? 'ahead of' : 'behind'
  return `the clock of this machine is ${seconds} s ${relation} that of the Kubernetes API: set both clocks, or tokens and certificates are rejected`
}
