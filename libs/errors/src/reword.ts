import { DomainError } from './domain-error.ts'

/**
 * Returns the error to throw instead of a thrown value: each text of a domain error changed, for example with secrets
 * hidden; anything else as it is.
 */
export function reworded(error: unknown, change: (text: string) => string): unknown {
  if (!(error instanceof DomainError)) return error
  const { reason, context, at, path } = error
  return error.with({
    reason: change(reason),
    context: context.map(change),
    ...(at && { at: { ...at, file: change(at.file) } }),
    ...(path !== undefined && { path: change(path) }),
  })
}
