import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import type { Subject } from '@wadi/rbac/decide/claims.ts'

/** That the subject may not do the action, worded as Argo CD does; `object` is what the policies call the thing. */
export function rejection(
  { sub }: Subject,
  resource: string,
  action: string,
  object: string,
): PermissionDeniedError {
  return new PermissionDeniedError(`permission denied: ${resource}, ${action}, ${object}, sub: ${sub}`)
}
