import { type Finding, severities } from './finding.ts'

/** The most findings that are kept of a source: more help nobody. */
export const maxFindings = 100

/** The outcome of a check of the objects of a source. */
export interface CheckedObjects<Found = Finding> {
  /** The findings that are kept: denied ones first, then warnings. */
  readonly findings: readonly Found[]
  /** The number of denied findings, also of those that are not kept. */
  readonly denied: number
  /** The number of findings that are not kept. */
  readonly leftOut: number
  /** The findings that waivers cover, at most 100. */
  readonly covered: readonly Found[]
  /** The last day, in UTC, on which the waivers in annotations that it depends on are as they were; default: it depends on none. */
  readonly lastDay?: string
}

/** Adds findings, and those that waivers cover, to an outcome. */
export function withFindings<Found extends Pick<Finding, 'severity'>>(
  { findings, denied, leftOut, covered, ...others }: CheckedObjects<Found>,
  { findings: more, covered: moreCovered }: Pick<CheckedObjects<Found>, 'findings' | 'covered'>,
): CheckedObjects<Found> {
  const all = [...findings, ...more]
  const byWeight = severities.flatMap((severity) => all.filter((one) => one.severity === severity))
  const kept = byWeight.slice(0, maxFindings)
  return {
    ...others,
    findings: kept,
    denied: denied + more.filter(({ severity }) => severity === 'deny').length,
    leftOut: leftOut + all.length - kept.length,
    covered: [...covered, ...moreCovered].slice(0, maxFindings),
  }
}
