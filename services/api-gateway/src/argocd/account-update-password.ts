import type { HandlerContext } from '@connectrpc/connect'
import { InvalidInputError, PermissionDeniedError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import type { UpdatePasswordRequest } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { adminAccount, findAccount } from '../accounts/account.ts'
import { forgetInitialAdminPassword } from '../accounts/initial-admin-password.ts'
import { passwordHash, requireGoodPassword, storePassword } from '../accounts/password.ts'
import { administrator, callerOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { ownIssuer } from '../sessions/session-token.ts'
import type { SignIn } from '../sessions/sign-in.ts'
import { accountToUpdate, isOwnAccount, readAccount } from './account-access.ts'

/** Maximum age of the sign-in at an OpenID provider for a change of a password. */
const maxSignInAgeSeconds = 300

/**
 * Gives an account another password, after which its older tokens are no longer valid. Callers prove themselves again: by their
 * own password, whosever account it is, or by having signed in at their provider in the last 5 minutes. The operator's
 * token needs neither, so that a forgotten password is no dead end.
 */
export function updatePassword(context: GatewayContext) {
  const { signIn } = context
  const { objects, now } = signIn
  return async ({ name, newPassword, currentPassword }: UpdatePasswordRequest, call: HandlerContext) => {
    const target = name || callerOf(call).subject.sub
    const account = isOwnAccount(call, target)
      ? readAccount(context, call, target)
      : accountToUpdate(context, call, target)
    // First, so that no password is compared for a call that changes nothing, however often it is made.
    requireGoodPassword(objects, newPassword)
    await requireProof(signIn, call, currentPassword)
    await storePassword(objects, account.name, await passwordHash(newPassword), now())
    if (account.name === adminAccount) await forgetInitialAdminPassword(objects.store)
    return {}
  }
}

async function requireProof(signIn: SignIn, call: HandlerContext, password: string): Promise<void> {
  const caller = callerOf(call)
  if (caller === administrator) return
  if (caller.issuer !== ownIssuer) {
    if (signIn.now() - caller.issuedAt <= maxSignInAgeSeconds) return
    throw new PermissionDeniedError('the sign-in is more than 5 minutes old; sign in again and repeat this')
  }
  const { sub } = caller.subject
  if (!findAccount(signIn.objects, sub)) {
    throw new InvalidInputError(`password can only be changed for local users, not user "${sub}"`)
  }
  try {
    await signIn.checkPassword(sub, password)
  } catch (error) {
    if (!(error instanceof UnauthenticatedError)) throw error
    throw new InvalidInputError('current password does not match', { cause: error })
  }
}
