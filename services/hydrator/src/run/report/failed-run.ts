import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { FailedRun } from '@wadi/hydration/hydrated-branch.ts'
import type { ObservedGroup } from '../branch-run.ts'
import { failureInputs } from './failure-inputs.ts'
import { inputsOf } from '../observe/rest.ts'
import { retryableError, retryOf } from './retry-cause.ts'
import type { RunInProgress } from '../run-outcome.ts'

/** Returns the condition for the next run of a group that failed, counted over the runs that failed in the same way. */
export function failedRun({ run, outcome }: RunInProgress, group: ObservedGroup): FailedRun {
  const { before } = group
  const failure = outcome.failures.get(group)
  const inputs = failureInputs(group, run.groups, inputsOf(run, outcome))
  const attempts = before?.failed?.inputs === inputs ? before.failed.attempts + 1 : 1
  const retry = retryOf(failure?.cause, attempts)
  // What stands in the way may be a file or a rule of the branch: then its next head is worth a try.
  const head = failure?.cause instanceof FailedPreconditionError ? run.destination.headSha : undefined
  return { inputs, attempts, retry, ...(head !== undefined && { head }) }
}

/** The error for which the queue is to try the run again; undefined when no group is helped by that. */
export function retryCause({ run, outcome }: RunInProgress): Error | undefined {
  const { failures, resting } = outcome
  const group = run.groups.find(
    (each) => failures.has(each) && !resting.has(each) && failedRun({ run, outcome }, each).retry === 'time',
  )
  return group && retryableError(failures.get(group)?.cause)
}
