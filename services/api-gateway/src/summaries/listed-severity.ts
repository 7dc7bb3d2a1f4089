import type { RecordedFinding } from '@wadi/hydration/hydrated-branch.ts'

/** The severities as lists select by them, the worst first. */
export const severityOrder = ['deny', 'warn', 'audit', 'waived'] as const

/** Returns the severity of a finding as lists select by it: `waived` if a waiver covers it. */
export function listedSeverity({
  severity,
  waiver,
}: {
  severity: string
  waiver?: RecordedFinding['waiver'] | undefined
}): string {
  return waiver ? 'waived' : severity
}

/** Returns the severities that some of the findings have, the worst first. */
export function listedSeverities(findings: readonly RecordedFinding[]): string[] {
  const found = new Set(findings.map(listedSeverity))
  return severityOrder.filter((severity) => found.has(severity))
}
