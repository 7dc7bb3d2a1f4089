import type { ForgeResponse } from './forge-exchange.ts'

/** Account that a forge is asked as. */
export interface ForgeAccount {
  readonly token: string
  /** User of a password, or of a token that needs one; undefined for a token that is sent alone. */
  readonly username?: string | undefined
}

/** Form of the requests to one kind of forge. */
export interface ForgeProtocol {
  /** Name in the field `forge` of a Secret, in logs and errors. */
  readonly name: string
  /** Headers of every request, in addition to those that all forges get. */
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters of every request. */
  readonly query?: Readonly<Record<string, string>>
  readonly authorization: (account: ForgeAccount) => Readonly<Record<string, string>>
  /** Recognizes a response that asks people to sign in, from a forge that has no status for a rejected token. */
  readonly isSignIn?: (response: Pick<ForgeResponse, 'status' | 'headers'>) => boolean
  /** Scopes that a token needs, for the errors about one that is rejected. */
  readonly scopes?: string
}

/** Sends the user and the password or token. */
export function basicAuthorization({ username = '', token }: ForgeAccount): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` }
}

/** Sends user and password where there is a user, otherwise the token alone. */
export function authorizationBy(scheme: 'Bearer' | 'token'): ForgeProtocol['authorization'] {
  return (account) =>
    account.username === undefined
      ? { authorization: `${scheme} ${account.token}` }
      : basicAuthorization(account)
}
