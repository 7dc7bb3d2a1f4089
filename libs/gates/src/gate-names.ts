import type { Severity } from './finding.ts'

/** The names of all gates. */
export const gateNames = ['secrets', 'api-versions', 'schemas', 'policies'] as const

/** The name of a gate. */
export type GateName = (typeof gateNames)[number]

/** The severity of what each gate finds; a gate that is not listed does not run. */
export type GateSeverities = Readonly<Partial<Record<GateName, Severity | 'off'>>>
