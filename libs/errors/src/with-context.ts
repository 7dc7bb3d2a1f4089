import { DomainError } from './domain-error.ts'

/** A class of domain errors, abstract ones too. */
type ErrorClass = abstract new (...args: never[]) => DomainError

/**
 * Does something, and puts what was being done before the message of the error if it fails.
 * @param context for example `component "web"`; the message becomes `component "web": …`
 * @param only the errors that it says something about; all domain errors by default. Others pass as they are.
 */
export function withContext<Result>(
  context: string,
  work: () => Promise<Result>,
  only?: ErrorClass,
): Promise<Result>
export function withContext<Result>(context: string, work: () => Result, only?: ErrorClass): Result
export function withContext(context: string, work: () => unknown, only: ErrorClass = DomainError): unknown {
  const fail = (error: unknown): never => {
    throw error instanceof only ? inContext(context, error) : error
  }
  try {
    const result = work()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

/** The error with what was being done before its message, for code that has caught it already. */
export function inContext<Thrown extends DomainError>(context: string, error: Thrown): Thrown {
  return error.with({ context: [context, ...error.context] })
}
