import type { HandlerContext } from '@connectrpc/connect'
import { PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { endUserKey } from '@wadi/rpc/service-identity.ts'
import type { AppsetServiceContext } from '../context.ts'
import type { Access } from './set-access.ts'

/**
 * Returns on whose behalf a service calls, with the policy of the moment; who is not signed in has an empty name.
 * @throws PermissionDeniedError for a service that calls for itself
 */
export function accessOf(
  { policy }: Pick<AppsetServiceContext, 'policy'>,
  { values }: Pick<HandlerContext, 'values'>,
): Access {
  const user = values.get(endUserKey)
  if (!user) {
    throw new PermissionDeniedError('ApplicationSets are changed and shown on behalf of a user alone')
  }
  return { enforcer: policy.enforcer, subject: { sub: user.subject, groups: user.groups } }
}
