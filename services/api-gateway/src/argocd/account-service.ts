import type { ServiceImpl } from '@connectrpc/connect'
import type { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import { type Account, allAccounts } from '../accounts/account.ts'
import type { GatewayContext } from '../context.ts'
import { mayGetAccount, readAccount } from './account-access.ts'
import { canI } from './account-can-i.ts'
import { createToken, deleteToken } from './account-tokens.ts'
import { updatePassword } from './account-update-password.ts'

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
