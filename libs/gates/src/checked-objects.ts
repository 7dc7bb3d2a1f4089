import { type Finding, severities } from './finding.ts'

/** More findings help nobody. */
const maxFindings = 100

/** The outcome of a check of the objects of a source. */
export interface CheckedObjects {
  /** The findings that are kept: denied ones first, then warnings. */
  readonly findings: readonly Finding[]
  /** The number of denied findings, also of those that are not kept. */
  readonly denied: number
  /** The number of findings that are not kept. */
  readonly leftOut: number
}

/** Adds findings to an outcome. */
export function withFindings(
  { findings, denied, leftOut }: CheckedObjects,
  more: readonly Finding[],
): CheckedObjects {
  const all = [...findings, ...more]
  const byWeight = severities.flatMap((severity) => all.filter((one) => one.severity === severity))
  const kept = byWeight.slice(0, maxFindings)
  return {
    findings: kept,
    denied: denied + more.filter(({ severity }) => severity === 'deny').length,
    leftOut: leftOut + all.length - kept.length,
  }
}
