import { severities, type Severity } from './finding.ts'
import { gateNames, type GateSeverities } from './gate-names.ts'

const fromMild: readonly (Severity | 'off')[] = ['off', ...severities.toReversed()]

/** Returns the stricter severity of each gate: deny, warn, audit, off. A gate that nobody names is left out. */
export function strictest(all: readonly GateSeverities[]): GateSeverities {
  const merged = gateNames.flatMap((name) => {
    const ranks = all.flatMap((one) => one[name] ?? []).map((severity) => fromMild.indexOf(severity))
    const severity = fromMild[Math.max(-1, ...ranks)]
    return severity === undefined ? [] : [[name, severity] as const]
  })
  return Object.fromEntries(merged)
}

/** Returns the gates that run. */
export function gatesThatRun(all: GateSeverities): GateSeverities {
  return Object.fromEntries(Object.entries(all).filter(([, severity]) => severity !== 'off'))
}
