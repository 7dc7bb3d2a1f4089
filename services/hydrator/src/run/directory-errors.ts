import { errorMessage, FailedPreconditionError, UnavailableError } from '@wadi/errors/domain-error.ts'
import type { ApplicationFailure } from '@wadi/hydration/hydrated-branch.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { FilePlace } from '@wadi/protocol/gen/wadi/places/v1/places_pb.ts'
import type { RenderRecord } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { isServiceAway } from '@wadi/rpc/service-away.ts'
import type { Directory, GroupFailure } from './branch-run.ts'
import { recordedFindings } from './report/recorded-findings.ts'

/** An error of one Application, with where it is in a file if that is known, and what gates found. */
interface PlacedFailure extends ApplicationFailure {
  place?: FilePlace | undefined
  findings?: readonly Finding[]
}

/** The error of a directory; its record has what gates found. */
interface DirectoryError {
  error: string
  retryable: boolean
  place?: FilePlace | undefined
  record?: Pick<RenderRecord, 'findings' | 'coveredFindings'>
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
  { error, retryable, place, record }: DirectoryError,
): void {
  const findings = [...(record?.findings ?? []), ...(record?.coveredFindings ?? [])]
  const failure = { message: error, place, findings }
  errors.failures.push(...members.map(({ name }) => ({ application: name, ...failure })))
  errors.mayPass &&= retryable
}

/** The failure of a group whose directories have errors. */
export function failureOf({ failures: placed, mayPass, dependsOnBranch }: DirectoryErrors): GroupFailure {
  const failures = placed.map(({ application, message }) => ({ application, message }))
  const found = recordedFindings(placed.map(({ application, findings = [] }) => ({ application, findings })))
  const failure = { message: '', failures, found }
  const reason = failures[0]?.message ?? ''
  if (mayPass) return { ...failure, cause: new UnavailableError(reason) }
  if (dependsOnBranch) return { ...failure, cause: new FailedPreconditionError(reason) }
  return failure
}

/** The failure of a group that an error ended. A service of the mesh that is away has been so for longer than a restart takes. */
export function failureFrom(cause: unknown): GroupFailure {
  const advice = isServiceAway(cause)
    ? "; its log and 'kubectl describe pod' say why: OOMKilled wants a higher memory limit"
    : ''
  return { message: `${errorMessage(cause)}${advice}`, failures: [], cause }
}
