import { DomainError } from './domain-error.ts'

/** A class of domain errors, abstract ones too. */
type ErrorClass = abstract new (...args: never[]) => DomainError

/**
 * Does something, and puts what was being done before the message of the error if it fails.
 * @param context for example `component "web"`; the message becomes `component "web": …`
 * @param only the errors that get it; all domain errors by default. Others pass as they are.
 */
export function withContext<Result>(
  context: string,
  work: () => Promise<Result>,
  only?: ErrorClass,
): Promise<Result>
export function withContext<Result>(context: string, work: () => Result, only?: ErrorClass): Result
export function withContext(context: string, work: () => unknown, only: ErrorClass = DomainError): unknown {
  return rethrowing(work, (error) => (error instanceof only ? inContext(context, error) : error))
}

/**
 * Does something with a field, and adds the field to the domain error if it fails: as `path`, and before its message.
 * An error that has a path stays as it is, so that the innermost field is the one that is named.
 */
export function withPath<Result>(path: string, work: () => Promise<Result>): Promise<Result>
export function withPath<Result>(path: string, work: () => Result): Result
export function withPath(path: string, work: () => unknown): unknown {
  return rethrowing(work, (error) => (error instanceof DomainError ? inPath(path, error) : error))
}

/** The error with what was being done before its message, for code that has caught it already. */
export function inContext<Thrown extends DomainError>(context: string, error: Thrown): Thrown {
  return error.with({ context: [context, ...error.context] })
}

/** The error with a field, as {@link withPath} adds it. */
export function inPath<Thrown extends DomainError>(path: string, error: Thrown): Thrown {
  if (error.path !== undefined) return error
  return error.context[0] === path ? error.with({ path }) : inContext(path, error).with({ path })
}

function rethrowing(work: () => unknown, changed: (error: unknown) => unknown): unknown {
  const fail = (error: unknown): never => {
    throw changed(error)
  }
  try {
    const result = work()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}
