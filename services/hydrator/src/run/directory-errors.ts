import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { Directory, GroupFailure } from './branch-run.ts'

/** What is wrong with directories of a group at one dry commit. */
export interface DirectoryErrors {
  failures: ApplicationFailure[]
  /** Whether every error may pass although nothing changes. */
  mayPass: boolean
}

/** No errors yet. */
export function noErrors(): DirectoryErrors {
  return { failures: [], mayPass: true }
}

/** Adds the error of a directory for each of its Applications. */
export function addError(
  errors: DirectoryErrors,
  { members }: Directory,
  { error, retryable }: { error: string; retryable: boolean },
): void {
  errors.failures.push(...members.map((member) => ({ application: member.name, message: error })))
  errors.mayPass &&= retryable
}

/** The failure of a group whose directories have errors. */
export function failureOf({ failures, mayPass }: DirectoryErrors): GroupFailure {
  if (!mayPass) return { message: '', failures }
  return { message: '', failures, cause: new UnavailableError(failures[0]?.message ?? '') }
}
