import {
  type DomainError,
  FailedPreconditionError,
  NotFoundError,
  PermissionDeniedError,
  UnauthenticatedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { type ApiResource, apiVersionOf } from '../client/api-resource.ts'
import { BusyError } from '../client/status-error.ts'

/**
 * Returns why the objects of a kind are not known, with what to do: the definition is missing, a right is missing, or the API server
 * cannot be reached.
 * @param error what keeps the first list from coming; undefined while it is under way
 * @param verbs the rights that are needed
 */
export function syncError(
  resource: ApiResource,
  error: unknown,
  timeoutMs: number,
  verbs = 'get, list and watch',
): DomainError {
  const settings = { context: contextOf(resource), cause: error }
  const reason = error instanceof Error ? error.message : 'the first list is not complete'
  if (error instanceof NotFoundError) return missingKind(resource, error)
  if (error instanceof PermissionDeniedError) {
    return new PermissionDeniedError(`${reason} (${verbs} are needed)`, settings)
  }
  if (error instanceof UnauthenticatedError) return new UnauthenticatedError(reason, settings)
  return new UnavailableError(
    `not listed after ${timeoutMs / 1000} s: ${reason}; check that the API server can be reached and is not overloaded`,
    settings,
  )
}

/** Returns why what is known of a kind may be old. */
export function watchError(resource: ApiResource, error: unknown): DomainError {
  const reason = error instanceof Error ? error.message : String(error)
  const advice =
    error instanceof BusyError
      ? '; it is asked again when it says, so nothing is lost; if this lasts, look at the load of the API server'
      : ''
  return new UnavailableError(`not followed at the moment: ${reason}${advice}`, {
    context: contextOf(resource),
    cause: error,
  })
}

function contextOf({ group, plural }: ApiResource): string[] {
  return [`${group === '' ? plural : `${plural}.${group}`} of the Kubernetes API`]
}

/** True if an error says that the cluster does not serve a kind, rather than that it has no such object. */
export function isMissingKind(error: unknown): boolean {
  return error instanceof NotFoundError && error.code === 'unknown-kind'
}

/** Returns the error for a kind that the cluster does not serve. */
export function missingKind(resource: ApiResource, cause: unknown): FailedPreconditionError {
  const { group, plural, kind } = resource
  const advice = group.endsWith('.k8s.io')
    ? 'Kubernetes has it from 1.30 on'
    : `install the CustomResourceDefinition ${plural}.${group}`
  return new FailedPreconditionError(
    `the cluster does not serve ${kind} (${apiVersionOf(resource)}); ${advice}`,
    { code: 'unknown-kind', cause },
  )
}
