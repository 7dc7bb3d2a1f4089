import type { Severity } from './finding.ts'

/** The gates that repositories may ask for. */
export const repositoryGateNames = ['secrets', 'api-versions', 'schemas', 'policies'] as const

/** The gates that judge objects by themselves; only the operator can ask for the last two. */
export const objectGateNames = [...repositoryGateNames, 'operator-policies', 'cluster-policies'] as const

/** The names of all gates; only the operator can ask for the last, whose programs repo-server runs. */
export const gateNames = [...objectGateNames, 'programs'] as const

/** The name of a gate. */
export type GateName = (typeof gateNames)[number]

/** The severity of what each gate finds; a gate that is not listed does not run. */
export type GateSeverities = Readonly<Partial<Record<GateName, Severity | 'off'>>>

/** Changes when a gate finds other things, so that what was checked before is checked again. */
export const rulesVersion = 3
