import { formatLocation, type Location } from './location.ts'
import { withoutUserInfo } from './redaction.ts'

/** The parts of an error, from which its message is composed. */
export interface ErrorParts {
  /** The reason and the advice; it begins with neither the context nor the place. Users and passwords in URLs are left out. */
  readonly reason: string
  /** The work that failed, from the outside in, for example `component "web"`. */
  readonly context: readonly string[]
  /** The place of the invalid input in a file; undefined if no file is the cause or the place is unknown. */
  readonly at: Location | undefined
  /** The field that is wrong, such as `spec.generators[0].git`, for code; the reason or the context names it for users. */
  readonly path: string | undefined
  /** Distinguishes this error from others of its class, in kebab case, for code that handles it differently. */
  readonly code: string | undefined
}

/** The parts of an error beside its reason, and its cause; by default none. */
export type ErrorSettings = ErrorOptions & Partial<Omit<ErrorParts, 'reason'>>

/**
 * The errors that domain code throws. `libs/rpc` gives each its RPC code on the way out and turns the code back
 * into the class on the way in, so a caller in another process catches what the callee threw.
 * Messages are for users: what is wrong, where (file:line when there is one) and what to do. They are composed when they
 * are read, as `context: file:line:column: reason`; code reads the fields and never takes a message apart.
 * An error does not change: `with` and `withContext` make another one.
 */
export abstract class DomainError extends Error implements Partial<ErrorParts> {
  /** True if the same call may succeed later although the caller changes nothing. */
  readonly retryable: boolean = false
  declare readonly reason: string
  declare readonly context: readonly string[]
  declare readonly at?: Location
  declare readonly path?: string
  declare readonly code?: string

  constructor(reason: string, { context = [], at, path, code, ...options }: ErrorSettings = {}) {
    const parts = withoutUsers({ reason, context, at, path, code })
    super(composed(parts), options)
    // The getter of the class shows through; the stack has begun with the text already.
    Reflect.deleteProperty(this, 'message')
    setParts(this, parts)
  }

  override get message(): string {
    return composed(this)
  }

  /** Returns this error with some parts replaced; class, cause, other fields and the place in the code stay. */
  with(changes: Partial<ErrorParts>): this {
    const { reason, context, at, path, code } = this
    const { stack: _, ...own } = Object.getOwnPropertyDescriptors(this)
    // Made by `new Error`, so that the copy is an error to the engine and to inspectors too.
    const copy: this = Object.setPrototypeOf(new Error(), Object.getPrototypeOf(this))
    Object.defineProperties(copy, own)
    setParts(copy, withoutUsers({ reason, context, at, path, code, ...changes }))
    if (this.stack !== undefined) copy.stack = this.stack.replace(this.message, () => copy.message)
    return copy
  }

  /** Returns an error of another class that says the same; this one is its cause. */
  as<Other extends DomainError>(errorClass: new (reason: string, settings: ErrorSettings) => Other): Other {
    const { reason, context, at, path, code } = this
    return new errorClass(reason, { context, at, path, code, cause: this })
  }
}

function composed({
  context,
  at,
  reason,
}: Pick<ErrorParts, 'context' | 'reason'> & { at?: Location | undefined }): string {
  return [...context, ...(at === undefined ? [] : [formatLocation(at)]), reason].join(': ')
}

/** Parts as everybody may read them: URLs in them may come from anywhere. */
function withoutUsers(parts: ErrorParts): ErrorParts {
  const { reason, context } = parts
  return {
    ...parts,
    reason: withoutUserInfo(reason),
    context: context.map((part) => withoutUserInfo(part)),
  }
}

/** Loggers and inspectors show enumerable fields beside the message, in which the reason and the context are already. */
function setParts(error: DomainError, { reason, context, ...data }: ErrorParts): void {
  const hidden = { enumerable: false, configurable: true }
  Object.defineProperty(error, 'reason', { ...hidden, value: reason })
  Object.defineProperty(error, 'context', { ...hidden, value: context })
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) Reflect.deleteProperty(error, name)
    else Object.defineProperty(error, name, { ...hidden, enumerable: true, value })
  }
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

/** Another system answers nothing more for a while, as it was asked too much. */
export class RateLimitError extends ResourceExhaustedError {
  override readonly name = 'RateLimitError'
  /** From when it answers again, in milliseconds since 1970. */
  readonly retryAt: number

  constructor(reason: string, { retryAt, ...settings }: ErrorSettings & { retryAt: number }) {
    super(reason, settings)
    this.retryAt = retryAt
  }
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

/** Returns what a user may see of any thrown value: the message of an error, else its text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
