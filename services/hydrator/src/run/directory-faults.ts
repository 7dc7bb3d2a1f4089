import { UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { Directory, GroupFailure } from './branch-run.ts'

/** What is wrong with directories of a group at one dry commit. */
export interface DirectoryFaults {
  failures: ApplicationFailure[]
  /** Whether every fault may pass although nothing changes. */
  mayPass: boolean
}

/** No faults yet. */
export function noFaults(): DirectoryFaults {
  return { failures: [], mayPass: true }
}

/** Adds the fault of a directory for each of its Applications. */
export function addFault(
  faults: DirectoryFaults,
  { members }: Directory,
  { error, retryable }: { error: string; retryable: boolean },
): void {
  faults.failures.push(...members.map((member) => ({ application: member.name, message: error })))
  faults.mayPass &&= retryable
}

/** The failure of a group whose directories have faults. */
export function failureOf({ failures, mayPass }: DirectoryFaults): GroupFailure {
  if (!mayPass) return { message: '', failures }
  return { message: '', failures, cause: new UnavailableError(failures[0]?.message ?? '') }
}
