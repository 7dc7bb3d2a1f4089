import { severities, type Severity } from './finding.ts'
import { type GateName, gateNames, type GateSeverities } from './gate-names.ts'

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

/** The severities that an operator asks for, and those of them that waivers leave. */
export interface OperatorSeverities {
  readonly asked: GateSeverities
  readonly unwaivable: GateSeverities
}

/** A gate as a message names it. */
interface NamedSeverity {
  readonly gate: string
  readonly severity: string
  /** Empty for none. */
  readonly unwaivable: string
}

/**
 * Reads the severities of a message.
 * @param unknown returns the error for a gate or severity that this version does not know
 */
export function operatorSeverities(
  named: readonly NamedSeverity[],
  unknown: (gate: string, severity: string) => Error,
): OperatorSeverities {
  const read = (gate: string, severity: string): readonly [GateName, Severity | 'off'] => {
    const name = gateNames.find((one) => one === gate)
    const known = fromMild.find((one) => one === severity)
    if (name !== undefined && known !== undefined) return [name, known]
    throw unknown(gate, severity)
  }
  const kept = named.filter(({ unwaivable }) => unwaivable !== '')
  return {
    asked: Object.fromEntries(named.map(({ gate, severity }) => read(gate, severity))),
    unwaivable: Object.fromEntries(kept.map(({ gate, unwaivable }) => read(gate, unwaivable))),
  }
}

/** Returns the gates that run. */
export function gatesThatRun(all: GateSeverities): GateSeverities {
  return Object.fromEntries(Object.entries(all).filter(([, severity]) => severity !== 'off'))
}
