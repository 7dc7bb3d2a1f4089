import type { ObservedRun } from './branch-run.ts'
import { restingGroups } from './observe/rest.ts'
import { outcomeFrom, type RunOutcome } from './run-outcome.ts'

/** The outcome of a run that has done nothing yet. */
export function beginOutcome(run: ObservedRun): RunOutcome {
  const { foreign, position, known } = run
  const failures = new Map(run.failures)
  const resting = restingGroups(run, { foreign, position, known, failures })
  return outcomeFrom({ foreign, position, known, resting, failures })
}
