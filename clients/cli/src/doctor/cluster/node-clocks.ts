import { listAt, textAt } from '@wadi/fields/json-fields.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'

/** Kubelets renew their Leases every 10 s, and tokens are accepted when clocks differ by this much. */
const maxOffsetMs = 60_000

/**
 * Finds nodes whose clock differs from that of the API server: a kubelet writes the time of its Lease by its own.
 * @param now by the clock of the API server, in milliseconds since 1970
 */
export function nodeClockFindings(
  nodes: readonly Resource[],
  leases: readonly Resource[],
  now: number,
): Finding[] {
  const renewed = new Map(
    leases.map((lease) => [lease.metadata.name, Date.parse(textAt(lease.spec, 'renewTime'))]),
  )
  return nodes.flatMap(({ metadata: { name }, status }): Finding[] => {
    const offset = (renewed.get(name) ?? Number.NaN) - now
    // The Lease of a node that is gone is old.
    if (!isReady(status) || !(Math.abs(offset) > maxOffsetMs)) return []
    const seconds = Math.round(Math.abs(offset) / 1000)
    return [
      {
        severity: 'warning',
        area: 'clock',
        message: `the clock of node ${name} is ${seconds} s ${offset < 0 ? 'behind' : 'ahead of'} that of the API server: its pods reject tokens and certificates, or theirs are rejected`,
        remedy: `timedatectl set-ntp true, on ${name}`,
      },
    ]
  })
}

function isReady(status: Resource['status']): boolean {
  return listAt(status, 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  )
}
