import { NotFoundError } from '@wadi/errors/domain-error.ts'
import { type Account, requireAccount } from '../accounts/account.ts'
import { callerOf } from '../authentication/caller.ts'
import type { Call } from '../authorization/authorization.ts'
import { noteDecision } from '../authorization/decided-by-policy.ts'
import type { GatewayContext } from '../context.ts'
import { ownIssuer } from '../sessions/session-token.ts'

type Accounts = Pick<GatewayContext, 'authorization' | 'signIn'>

/** Returns whether the caller is the account itself, by a token of ours and not by a provider's of the same name. */
export function isOwnAccount(call: Call, name: string): boolean {
  // Who the caller is decides here, in the place of the policy.
  noteDecision(call.values)
  const { subject, issuer } = callerOf(call)
  return issuer === ownIssuer && subject.sub === name
}

/** Returns whether the caller may see an account; everybody sees their own. */
export function mayGetAccount({ authorization }: Accounts, call: Call, name: string): boolean {
  return isOwnAccount(call, name) || authorization.allows(call, 'accounts', 'get', name)
}

/** @throws NotFoundError for an account that does not exist or that the caller may not see */
export function readAccount(context: Accounts, call: Call, name: string): Account {
  if (mayGetAccount(context, call, name)) return requireAccount(context.signIn.objects, name)
  throw new NotFoundError(`account '${name}' does not exist`)
}

/** @throws NotFoundError as `readAccount`, PermissionDeniedError without the right to update the account */
export function accountToUpdate(context: Accounts, call: Call, name: string): Account {
  // Who may change an account knows that it is there.
  if (!context.authorization.allows(call, 'accounts', 'update', name)) readAccount(context, call, name)
  context.authorization.require(call, 'accounts', 'update', name)
  return requireAccount(context.signIn.objects, name)
}
