import type { ObservedRun } from './branch-run.ts'
import { restingGroups } from './rest.ts'
import type { RunOutcome } from './run-outcome.ts'

/** The outcome of a run that has done nothing yet. */
export function beginOutcome(run: ObservedRun): RunOutcome {
  const { foreign, position, held } = run
  const failures = new Map(run.failures)
  return {
    foreign,
    position,
    held,
    resting: restingGroups(run, { foreign, position, held, failures }),
    failures,
    landed: [],
    isStarted: false,
    warnings: new Map(),
    rendered: 0,
    commits: new Map(),
  }
}
