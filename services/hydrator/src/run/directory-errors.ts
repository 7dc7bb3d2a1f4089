import { FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { FilePlace } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import type { Directory, GroupFailure } from './branch-run.ts'

/** An error of one Application, with where it is in a file if that is known. */
interface PlacedFailure extends ApplicationFailure {
  place?: FilePlace | undefined
}

/** The errors of directories of a group at one dry commit. */
export interface DirectoryErrors {
  failures: PlacedFailure[]
  /** True if every error may pass although nothing changes. */
  mayPass: boolean
  /** True if the error of a directory may come from what the branch holds. */
  dependsOnBranch: boolean
}

/** No errors yet. */
export function noErrors(): DirectoryErrors {
  return { failures: [], mayPass: true, dependsOnBranch: false }
}

/** Adds the error of a directory for each of its Applications. */
export function addError(
  errors: DirectoryErrors,
  { members }: Directory,
  { error, retryable, place }: { error: string; retryable: boolean; place?: FilePlace | undefined },
): void {
  errors.failures.push(...members.map((member) => ({ application: member.name, message: error, place })))
  errors.mayPass &&= retryable
}

/** The failure of a group whose directories have errors. */
export function failureOf({ failures: placed, mayPass, dependsOnBranch }: DirectoryErrors): GroupFailure {
  const failures = placed.map(({ application, message }) => ({ application, message }))
  const reason = failures[0]?.message ?? ''
  if (mayPass) return { message: '', failures, cause: new UnavailableError(reason) }
  if (dependsOnBranch) return { message: '', failures, cause: new FailedPreconditionError(reason) }
  return { message: '', failures }
}
