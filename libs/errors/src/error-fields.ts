import {
  AlreadyExistsError,
  CanceledError,
  ConflictError,
  DeadlineExceededError,
  type DomainError,
  type ErrorParts,
  type ErrorSettings,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  ProgramKilledError,
  ResourceExhaustedError,
  TimeLimitError,
  UnauthenticatedError,
  UnavailableError,
} from './domain-error.ts'

/** A domain error as an object that can be sent to another thread, where an error would lose its class and its message. */
export interface ErrorFields extends ErrorParts {
  /** The name of its class, or of the nearest one in `domain-error.ts`. */
  readonly name: string
}

const classByName = new Map<string, new (reason: string, settings: ErrorSettings) => DomainError>([
  ['AlreadyExistsError', AlreadyExistsError],
  ['CanceledError', CanceledError],
  ['ConflictError', ConflictError],
  ['DeadlineExceededError', DeadlineExceededError],
  ['FailedPreconditionError', FailedPreconditionError],
  ['InvalidInputError', InvalidInputError],
  ['NotFoundError', NotFoundError],
  ['PermissionDeniedError', PermissionDeniedError],
  ['ProgramKilledError', ProgramKilledError],
  ['ResourceExhaustedError', ResourceExhaustedError],
  ['TimeLimitError', TimeLimitError],
  ['UnauthenticatedError', UnauthenticatedError],
  ['UnavailableError', UnavailableError],
])

/** The fields of a domain error. */
export function errorFields({ name, reason, context, at, path, code }: DomainError): ErrorFields {
  return { name, reason, context, at, path, code }
}

/** The domain error that has these fields; its cause and stack stayed where it was thrown. */
export function errorFromFields({ name, reason, ...parts }: ErrorFields): DomainError {
  const errorClass = classByName.get(name)
  if (errorClass === undefined) throw new TypeError(`${name} is not a domain error`)
  return new errorClass(reason, parts)
}
