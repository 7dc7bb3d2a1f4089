import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import {
  FailedPreconditionError,
  InvalidInputError,
  PermissionDeniedError,
  UnauthenticatedError,
} from '@wadi/errors/domain-error.ts'
import type {
  AccountService,
  CreateTokenRequest,
  DeleteTokenRequest,
  UpdatePasswordRequest,
} from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { type Account, adminAccount, allAccounts, findAccount } from '../accounts/account.ts'
import { addApiKey, removeApiKey } from '../accounts/api-keys.ts'
import { forgetInitialAdminPassword } from '../accounts/initial-admin-password.ts'
import { newListedToken } from '../accounts/new-listed-token.ts'
import { passwordHash, requireGoodPassword, storePassword } from '../accounts/password.ts'
import { administrator, callerOf } from '../authentication/caller.ts'
import type { GatewayContext } from '../context.ts'
import { ownIssuer } from '../sessions/session-token.ts'
import { issueTime, type SignIn, signListedToken } from '../sessions/sign-in.ts'
import { accountToUpdate, isOwnAccount, mayGetAccount, readAccount } from './account-access.ts'
import { canI } from './account-can-i.ts'

/** Argo CD's account service. */
export function argocdAccounts(context: GatewayContext): ServiceImpl<typeof AccountService> {
  const { objects } = context.signIn
  return {
    canI: canI(context),
    updatePassword: updatePassword(context),
    listAccounts: (_request, call) => {
      const visible = allAccounts(objects).filter(({ name }) => mayGetAccount(context, call, name))
      return { items: visible.map(described) }
    },
    getAccount: ({ name }, call) => described(readAccount(context, call, name)),
    createToken: createToken(context),
    deleteToken: deleteToken(context),
  }
}

function described({ name, enabled, capabilities, tokens }: Account) {
  return {
    name,
    enabled,
    capabilities: [...capabilities],
    tokens: tokens.map(({ id, issuedAt, expiresAt }) => ({
      id,
      issuedAt: BigInt(Math.floor(issuedAt)),
      expiresAt: BigInt(Math.floor(expiresAt)),
    })),
  }
}

/** Maximum age of the sign-in at an OpenID provider for a change of a password. */
const maxSignInAgeSeconds = 300

/**
 * Gives an account another password, after which its older tokens are no longer valid. Callers prove themselves again: by their
 * own password, whosever account it is, or by having signed in at their provider in the last 5 minutes. The operator's
 * token needs neither, so that a forgotten password is no dead end.
 */
function updatePassword(context: GatewayContext) {
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

/** Makes an API key of an account, which needs the right to update it, for one's own too. */
function createToken(context: GatewayContext) {
  const { signIn } = context
  return async (request: CreateTokenRequest, call: HandlerContext) => {
    const account = accountToUpdate(context, call, request.name)
    if (!account.capabilities.includes('apiKey')) {
      throw new FailedPreconditionError(`account '${account.name}' does not have apiKey capability`)
    }
    const listed = newListedToken(request, issueTime(signIn, account))
    const token = await signListedToken(signIn, {
      ...listed,
      owner: { kind: 'apiKey', account: account.name },
    })
    await addApiKey(signIn.objects, account.name, listed)
    return { token }
  }
}

/** Revokes an API key; everybody may revoke their own. */
function deleteToken(context: GatewayContext) {
  return async ({ name, id }: DeleteTokenRequest, call: HandlerContext) => {
    const account = isOwnAccount(call, name)
      ? readAccount(context, call, name)
      : accountToUpdate(context, call, name)
    await removeApiKey(context.signIn.objects, account.name, id)
    return {}
  }
}
