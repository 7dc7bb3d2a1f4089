import { shortened } from '@wadi/errors/some-of.ts'
import type { ApplicationWarnings, GroupStatus } from '@wadi/hydration/hydrated-branch.ts'
import type { ObservedGroup } from '../branch-run.ts'
import type { RunOutcome } from '../run-outcome.ts'

/** A record may have 1.5 MiB, with several groups; these are 100 KiB of one. */
const maxWarnings = 200
const maxLength = 500

/** Returns what is odd about the render of single Applications: for a group at most 200 warnings of 500 characters. */
export function recordedWarnings(
  { members }: Pick<ObservedGroup, 'members'>,
  outcome: Pick<RunOutcome, 'warnings'>,
): ApplicationWarnings[] {
  let left = maxWarnings
  const recorded: ApplicationWarnings[] = []
  if (outcome.warnings.size === 0) return recorded
  for (const { name } of members) {
    const all = outcome.warnings.get(name) ?? []
    const warnings = all.slice(0, left).map((warning) => shortened(warning, maxLength))
    left -= warnings.length
    if (warnings.length > 0) recorded.push({ application: name, warnings })
  }
  return recorded
}

/** The warnings that the newest successful run of a group recorded, by Application, and whether they are all that it found. */
export function warningsOfSuccess({ success }: Pick<GroupStatus, 'success'> = {}): {
  warnings: Map<string, string[]>
  areAll: boolean
} {
  const recorded = success?.warnings ?? []
  return {
    warnings: new Map(recorded.map(({ application, warnings }) => [application, [...warnings]])),
    areAll: recorded.reduce((sum, { warnings }) => sum + warnings.length, 0) < maxWarnings,
  }
}
