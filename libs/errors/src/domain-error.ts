/**
 * The errors that domain code throws. `libs/rpc` gives each its RPC code on the way out and turns the code back
 * into the class on the way in, so a caller in another process catches what the callee threw.
 * Messages are for users: what is wrong, where (file:line when there is one) and what to do.
 */
export abstract class DomainError extends Error {
  /** Whether the same call may succeed later with nothing changed by the caller. */
  readonly retryable: boolean = false
}

/** The request, a file or a setting is wrong; repeating it cannot help. */
export class InvalidInputError extends DomainError {
  override readonly name = 'InvalidInputError'
}

/** The named thing does not exist, or the caller may not know that it does. */
export class NotFoundError extends DomainError {
  override readonly name = 'NotFoundError'
}

/** A thing of that name exists and differs. */
export class AlreadyExistsError extends DomainError {
  override readonly name = 'AlreadyExistsError'
}

/** The caller is known and may not do this. */
export class PermissionDeniedError extends DomainError {
  override readonly name = 'PermissionDeniedError'
}

/** The caller is not known: no token, a wrong or an expired one. */
export class UnauthenticatedError extends DomainError {
  override readonly name = 'UnauthenticatedError'
}

/** The state of the system forbids this until somebody changes it, for example a protected branch. */
export class FailedPreconditionError extends DomainError {
  override readonly name = 'FailedPreconditionError'
}

/** Somebody else was faster; read again and start over. */
export class ConflictError extends DomainError {
  override readonly name = 'ConflictError'
  override readonly retryable = true
}

/** A limit on size, count or rate was reached. */
export class ResourceExhaustedError extends DomainError {
  override readonly name: string = 'ResourceExhaustedError'
}

/** Something that is not known killed a program, as the kernel does with one when the whole machine is short of memory. */
export class ProgramKilledError extends ResourceExhaustedError {
  override readonly name = 'ProgramKilledError'
  override readonly retryable = true
}

/** Something that is needed does not answer now; try again later. */
export class UnavailableError extends DomainError {
  override readonly name = 'UnavailableError'
  override readonly retryable = true
}

/** The time given for this ran out. */
export class DeadlineExceededError extends DomainError {
  override readonly name: string = 'DeadlineExceededError'
  override readonly retryable: boolean = true
}

/** A program took more time than one run of it may take; the same input would do so again. */
export class TimeLimitError extends DeadlineExceededError {
  override readonly name = 'TimeLimitError'
  override readonly retryable = false
}

/** The caller went away. */
export class CanceledError extends DomainError {
  override readonly name = 'CanceledError'
}

/** Returns what a user may be told of any thrown value: the message of an error, else its text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
