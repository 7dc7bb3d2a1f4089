import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import type { CreateTokenRequest, DeleteTokenRequest } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { addApiKey, removeApiKey } from '../accounts/api-keys.ts'
import { newListedToken } from '../accounts/new-listed-token.ts'
import type { GatewayContext } from '../context.ts'
import { issueTime, signListedToken } from '../sessions/sign-in.ts'
import { accountToUpdate, isOwnAccount, readAccount } from './account-access.ts'

/** Makes an API key of an account, which needs the right to update it, for one's own too. */
export function createToken(context: GatewayContext) {
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
export function deleteToken(context: GatewayContext) {
  return async ({ name, id }: DeleteTokenRequest, call: HandlerContext) => {
    const account = isOwnAccount(call, name)
      ? readAccount(context, call, name)
      : accountToUpdate(context, call, name)
    await removeApiKey(context.signIn.objects, account.name, id)
    return {}
  }
}
